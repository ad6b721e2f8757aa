const principals = `array(
  with recursive me as (
    select $2::uuid as id
    union
    select membership.group_id from me
    join app.group_member as membership on membership.tenant_id = $1 and membership.principal_id = me.id)
  select id from me)`;
const strength = "case entry.role when 'owner' then 3 when 'editor' then 2 when 'viewer' then 1 end";

/** Reads the caller's lists as the product does; $1 is the tenant, $2 the caller. */
export const scopesOfCaller = `
  select scope.id, scope.workspace_id, scope.parent_id, scope.inherits,
    max(${strength}) filter (where entry.principal_id <> scope.workspace_id) as own,
    max(${strength}) filter (where entry.principal_id = scope.workspace_id) as everyone
  from app.acl_scope as scope
  left join app.acl_entry as entry on entry.tenant_id = scope.tenant_id and entry.scope_id = scope.id
    and (entry.principal_id = any(${principals}) or entry.principal_id = scope.workspace_id)
  where scope.tenant_id = $1 and scope.workspace_id in (
    select entered.workspace_id from app.acl_entry as mine
    join app.acl_scope as entered on entered.tenant_id = $1 and entered.id = mine.scope_id
    join app.workspace as workspace
      on workspace.tenant_id = $1 and workspace.id = entered.workspace_id and workspace.trashed_at is null
    where mine.tenant_id = $1 and mine.principal_id = any(${principals}))
  group by scope.id, scope.workspace_id, scope.parent_id, scope.inherits`;

export interface Scope {
  id: string;
  workspace_id: string;
  parent_id: string | null;
  inherits: boolean;
  own: number | null;
  everyone: number | null;
}

/** Lists that the caller may read, each with its workspace. */
export function readableOf(rows: readonly Scope[]): Map<string, string> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const readable = new Map<string, string>();
  const isReadable = (scope: Scope): boolean => {
    const membership = byId.get(scope.workspace_id)?.own ?? null;
    const above = scope.parent_id === null ? undefined : byId.get(scope.parent_id);
    const isInherited = above !== undefined && (scope.inherits || membership === 3) && isReadable(above);
    return scope.own !== null || (membership !== null && scope.everyone !== null) || isInherited;
  };
  for (const row of rows) if (isReadable(row)) readable.set(row.id, row.workspace_id);
  return readable;
}

/** Reads nodes back with their paths and a passage, if nothing on the way is in the trash; $1 is the tenant, $2 the ids. */
export const nodesWithPaths = ({ passage, near = "" }: { passage: string; near?: string }) => `
  with recursive chain as (
    select node.id as goal, node.parent_id, array[node.name] as names, node.trashed_at is not null as is_trashed
    from app.node as node where node.tenant_id = $1 and node.id = any($2::uuid[])
    union all
    select chain.goal, node.parent_id, node.name || chain.names, chain.is_trashed or node.trashed_at is not null
    from chain join app.node as node on node.tenant_id = $1 and node.id = chain.parent_id)
  select node.id, chain.names, node.acl_scope_id, node.media_type, node.updated_at, ${passage} as passage
  from chain
  join app.node as node on node.tenant_id = $1 and node.id = chain.goal
  ${near}
  left join app.node_text as stored
    on stored.tenant_id = $1 and stored.node_id = node.id and stored.content_version = node.content_version
  where chain.parent_id = node.workspace_id and not chain.is_trashed`;
