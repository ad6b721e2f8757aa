-- Uneven, as customers are: every tenant has one (of nodes: perhaps none), and the rest is shared by Zipf's law, the r-th largest having a
-- 1/r part; what rounding leaves goes to the largest. The sample tenant gets what it lacks, to the row.

insert into control.tenant (name, slug, cell_id)
select format('Company %s', rank), format('company-%s', lpad(rank::text, 7, '0')), 'one'
from generate_series(1, current_setting('scale.tenants')::int - 1) as rank;

create temp table tenant_plan on commit drop as
with ranked as (
  select tenant_id, slug, row_number() over (order by slug) as rank
  from control.tenant where slug <> current_setting('scale.sample_slug')
), total as (
  select count(*) as tenants, sum(1.0 / rank) as parts,
         current_setting('scale.workspaces')::int - current_setting('scale.sample_workspaces')::int as workspaces,
         current_setting('scale.audit_entries')::int - current_setting('scale.sample_audit_entries')::int as entries,
         current_setting('scale.nodes')::int - current_setting('scale.sample_nodes')::int as nodes
  from ranked
), shared as (
  select tenant_id, slug, rank,
         1 + floor((total.workspaces - tenants) / parts / rank) as workspaces,
         1 + floor((total.entries - tenants) / parts / rank) as audit_entries,
         floor(total.nodes / parts / rank) as nodes
  from ranked, total
), rest as (
  select total.workspaces - sum(shared.workspaces) as workspaces, total.entries - sum(audit_entries) as audit_entries,
         total.nodes - sum(shared.nodes) as nodes
  from shared, total group by total.workspaces, total.entries, total.nodes
), plan as (
  select tenant_id, slug,
         shared.workspaces + case rank when 1 then rest.workspaces else 0 end as workspaces,
         shared.audit_entries + case rank when 1 then rest.audit_entries else 0 end as audit_entries,
         shared.nodes + case rank when 1 then rest.nodes else 0 end as nodes
  from shared, rest
  union all
  select tenant_id, slug,
         current_setting('scale.sample_workspaces')::int
           - (select count(*) from app.workspace where tenant_id = tenant.tenant_id),
         current_setting('scale.sample_audit_entries')::int,
         current_setting('scale.sample_nodes')::int
  from control.tenant where slug = current_setting('scale.sample_slug')
)
select tenant_id, slug, workspaces::int, audit_entries::bigint, nodes::int, 3 + workspaces::int / 4 as people
from plan;
