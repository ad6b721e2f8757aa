-- In no order: tenants work at the same time, so the rows of one lie scattered over the table and not side by side.

create temp table new_workspace on commit drop as
with inserted as (
  insert into app.workspace (tenant_id, name, slug)
  select tenant_id, format('Workspace %s', number), format('workspace-%s', lpad(number::text, 6, '0'))
  from tenant_plan, generate_series(1, workspaces) as number
  order by random()
  returning tenant_id, id
)
select tenant_id, id, row_number() over (partition by tenant_id order by id) as number
from inserted;

insert into app.acl_scope (tenant_id, id, workspace_id, anchor_id)
select tenant_id, id, id, id from new_workspace;

-- An owner, an editor and a viewer each, from the people of the tenant in turn. Their count comes from the plan: kept
-- beside each person it stood on both sides of the condition, no hash join was possible, and this took twice as long.
insert into app.acl_entry (tenant_id, scope_id, principal_id, role)
select workspace.tenant_id, workspace.id, person.id, role
from new_workspace as workspace join tenant_plan using (tenant_id)
cross join unnest(array['owner', 'editor', 'viewer']) with ordinality as seat (role, place)
join person on person.tenant_id = workspace.tenant_id
  and person.number = 1 + (workspace.number + seat.place) % people
order by random();
