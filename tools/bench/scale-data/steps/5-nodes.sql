-- The sample tenant has them all in one workspace, as the one large folder tree of somebody: /archive with a third of them
-- below it, most directly in it and some in parts, and the rest in the folders of /projects. The others have folders of
-- fifty at the top of their workspaces. Files have one version each, a content of their own, and a short text.

create temp table sample_place on commit drop as
select workspace.tenant_id, workspace.id as workspace_id,
       current_setting('scale.sample_nodes')::int as nodes,
       20 as parts,
       current_setting('scale.sample_nodes')::int / 3 as archived,
       1 + current_setting('scale.sample_nodes')::int / 1000 as projects
from app.workspace join control.tenant using (tenant_id)
where tenant.slug = current_setting('scale.sample_slug')
  and workspace.slug = current_setting('scale.sample_file_workspace');

-- Numbers within a tenant: a parent is named by its own number, 0 for the top of the workspace.
create temp table planned_node on commit drop as
select tenant_id, workspace_id, number, kind, name, parent from (
  select tenant_id, workspace_id, 1 as number, 'folder' as kind, 'archive' as name, 0 as parent from sample_place
  union all
  select tenant_id, workspace_id, 2, 'folder', 'projects', 0 from sample_place
  union all
  select tenant_id, workspace_id, 2 + part, 'folder', format('part-%s', lpad(part::text, 2, '0')), 1
  from sample_place, generate_series(1, parts) as part
  union all
  select tenant_id, workspace_id, 2 + parts + project, 'folder', format('project-%s', lpad(project::text, 4, '0')), 2
  from sample_place, generate_series(1, projects) as project
  union all
  select tenant_id, workspace_id, 2 + parts + projects + file, 'file', format('file-%s.txt', lpad(file::text, 6, '0')),
         case when file > archived then 2 + parts + 1 + file % projects
              when file % 5 = 0 then 2 + 1 + file / 5 % parts
              else 1 end
  from sample_place, generate_series(1, nodes - 2 - parts - projects) as file
) as sample
where exists (select from sample_place where nodes > 0)
union all
select plan.tenant_id, workspace.id, place,
       case when (place - 1) % 50 = 0 then 'folder' else 'file' end,
       case when (place - 1) % 50 = 0 then format('folder-%s', place) else format('file-%s.txt', place) end,
       case when (place - 1) % 50 = 0 then 0 else place - (place - 1) % 50 end
from tenant_plan as plan
cross join lateral generate_series(1, plan.nodes) as place
join new_workspace as workspace
  on workspace.tenant_id = plan.tenant_id and workspace.number = 1 + (place - 1) / 50 % plan.workspaces
where plan.slug <> current_setting('scale.sample_slug');

-- In no order, as the workspaces. Ids are drawn in the order of insertion, as the product draws them.
create temp table new_node on commit drop as
select shuffled.*, uuidv7() as id from (select * from planned_node order by random()) as shuffled;
create index on new_node (tenant_id, number);
analyze new_node;

insert into app.node (tenant_id, id, workspace_id, parent_id, kind, name, acl_scope_id, content_version, size,
                      media_type, sha256, created_by, updated_by)
select node.tenant_id, node.id, node.workspace_id, coalesce(parent.id, node.workspace_id), node.kind, node.name,
       node.workspace_id, case when file then 1 else 0 end, case when file then 4096 end,
       case when file then 'text/plain' end, case when file then sha256(uuid_send(node.id)) end, person.id, person.id
from new_node as node
cross join lateral (select node.kind = 'file' as file) as kind_of
join person on person.tenant_id = node.tenant_id and person.number = 1
left join new_node as parent on parent.tenant_id = node.tenant_id and parent.number = node.parent;

insert into app.blob (tenant_id, sha256, size, storage_key, reference_count)
select tenant_id, sha256, size, gen_random_uuid(), 1 from app.node where kind = 'file';

insert into app.node_version (tenant_id, node_id, content_version, size, media_type, sha256, created_by)
select tenant_id, id, 1, size, media_type, sha256, created_by from app.node where kind = 'file';

insert into app.node_text (tenant_id, node_id, content_version, outcome, text, extractor_version)
select tenant_id, id, 1, 'ok', 'What ' || name || ' says.', 1 from app.node where kind = 'file';
