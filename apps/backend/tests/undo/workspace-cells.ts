import type pg from "pg";

/**
 * What people can see of a workspace, as single cells read from the tables, and the things to work with. Includes cells
 * of trashed things, except that these are not `live`.
 */
export interface Snapshot {
  /** `name node_1` → "a.txt". */
  cells: ReadonlyMap<string, string>;
  nodes: { id: string; kind: "file" | "folder"; isLive: boolean }[];
  collections: string[];
  records: { id: string; isLive: boolean }[];
  groups: string[];
}

interface Tables {
  nodes: {
    id: string;
    kind: "file" | "folder";
    name: string;
    parent: string;
    trashed: boolean;
    sha: string;
  }[];
  lists: { anchor: string; inherits: boolean }[];
  entries: { anchor: string; principal: string; role: string }[];
  collections: { id: string; name: string; fields: { key: string; name: string }[]; trashed: boolean }[];
  records: { id: string; collection: string; fields: Record<string, unknown>; trashed: boolean }[];
  groups: { id: string; name: string; members: string[] }[];
}

const query = `
  select json_build_object(
    'nodes', (select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'name', name, 'parent', parent_id,
        'trashed', trashed_at is not null, 'sha', encode(sha256, 'hex'))), '[]')
      from app.node where tenant_id = $1 and workspace_id = $2),
    'lists', (select coalesce(json_agg(json_build_object('anchor', anchor_id, 'inherits', inherits)), '[]')
      from app.acl_scope where tenant_id = $1 and workspace_id = $2),
    'entries', (select coalesce(json_agg(json_build_object(
        'anchor', scope.anchor_id, 'principal', entry.principal_id, 'role', entry.role)), '[]')
      from app.acl_entry as entry
      join app.acl_scope as scope on scope.tenant_id = $1 and scope.id = entry.scope_id
      join app.principal as holder on holder.tenant_id = $1 and holder.id = entry.principal_id
      where entry.tenant_id = $1 and scope.workspace_id = $2 and holder.disabled_at is null),
    'collections', (select coalesce(json_agg(json_build_object(
        'id', id, 'name', name, 'fields', fields, 'trashed', trashed_at is not null)), '[]')
      from app.collection where tenant_id = $1 and workspace_id = $2),
    'records', (select coalesce(json_agg(json_build_object('id', record.id, 'collection', record.collection_id,
        'fields', record.fields, 'trashed', record.trashed_at is not null)), '[]')
      from app.record as record
      join app.collection as collection on collection.tenant_id = $1 and collection.id = record.collection_id
      where record.tenant_id = $1 and collection.workspace_id = $2),
    'groups', (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'members', array(
        select member.principal_id from app.group_member as member
        where member.tenant_id = $1 and member.group_id = principal.id))), '[]')
      from app.principal as principal
      where tenant_id = $1 and kind = 'group' and disabled_at is null and name like $3)) as tables`;

export async function readCells(
  admin: pg.Client,
  { tenantId, workspaceId, groupPrefix }: { tenantId: string; workspaceId: string; groupPrefix: string },
): Promise<Snapshot> {
  const { rows } = await admin.query<{ tables: Tables }>({
    name: "cells",
    text: query,
    values: [tenantId, workspaceId, `${groupPrefix}%`],
  });
  const tables = rows[0]?.tables;
  if (!tables) throw new Error("nothing was read");
  const { nodes, lists, entries, collections, records, groups } = tables;
  const cells = new Map<string, string>();

  const byId = new Map(nodes.map((node) => [node.id, node]));
  const isLive = (id: string): boolean => {
    const node = byId.get(id);
    return node === undefined ? id === workspaceId : !node.trashed && isLive(node.parent);
  };
  for (const { id, name, parent, trashed, sha } of nodes) {
    cells.set(`name ${id}`, name);
    cells.set(`parent ${id}`, parent);
    cells.set(`content ${id}`, sha);
    cells.set(`trashed ${id}`, String(trashed));
    if (isLive(id)) cells.set(`live ${id}`, "yes");
  }
  for (const { anchor, inherits } of lists) if (!inherits) cells.set(`restricted ${anchor}`, "yes");
  for (const { anchor, principal, role } of entries) cells.set(`entry ${anchor} ${principal}`, role);

  const fieldsOf = new Map(
    collections.filter(({ trashed }) => !trashed).map(({ id, fields }) => [id, fields]),
  );
  for (const { id, name, fields, trashed } of collections) {
    cells.set(`collection ${id}`, name);
    for (const field of fields) cells.set(`field ${id} ${field.key}`, field.name);
    if (!trashed) cells.set(`live ${id}`, "yes");
  }
  for (const { id, collection, fields, trashed } of records) {
    cells.set(`values ${id}`, JSON.stringify(fields));
    cells.set(`trashed ${id}`, String(trashed));
    const shown = fieldsOf.get(collection);
    if (trashed || !shown) continue;
    cells.set(`live ${id}`, "yes");
    for (const { key } of shown) if (key in fields) cells.set(`shown ${id} ${key}`, String(fields[key]));
  }
  for (const { id, name, members } of groups) {
    cells.set(`group ${id}`, name);
    for (const member of members) cells.set(`member ${id} ${member}`, "yes");
  }
  return {
    cells,
    nodes: nodes.map(({ id, kind }) => ({ id, kind, isLive: cells.has(`live ${id}`) })),
    collections: collections.filter(({ trashed }) => !trashed).map(({ id }) => id),
    records: records.map(({ id }) => ({ id, isLive: cells.has(`live ${id}`) })),
    groups: groups.map(({ id }) => id),
  };
}
