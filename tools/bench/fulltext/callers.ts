import { randomUUID } from "node:crypto";
import { encodeId } from "@svc/protocol/typed-id";
import { type } from "../file-caller.ts";
import { withClient } from "../with-client.ts";

/** A caller who searches: the part of the tenant's documents they see, and how the bare statement identifies them. */
export interface SearchCaller {
  /** Documents of the tenant, about. */
  size: number;
  sees: string;
  token: string;
  tenantId: string;
  /** Lists in which they have an entry; "all" for an administrator. */
  scopeIds: readonly string[] | "all";
}

export interface Api {
  url: string;
  adminUrl: string;
  /** The token of the sample tenant's administrator. */
  token: string;
}

const parts = { "10 %": 0.1, "0.5 %": 0.005 };

/** Three callers in the tenant with about this many documents: one sees all, the others what they were granted. */
export async function addSearchCallers(api: Api, documents: number): Promise<SearchCaller[]> {
  const tenantId = await tenantOfSize(api.adminUrl, documents);
  const administrator = await administratorOf(api, tenantId);
  const owner = { url: api.url, token: administrator };
  const size = documents;
  const callers: SearchCaller[] = [{ size, sees: "all", token: administrator, tenantId, scopeIds: "all" }];
  for (const [sees, part] of Object.entries(parts)) {
    const name = `bench-${randomUUID()}`;
    const { data } = await type(owner, `tokens create ${name}`);
    for (const id of await placesWith(api.adminUrl, tenantId, documents * part)) {
      await type(owner, `access grant ${id} ${name} --role viewer`);
    }
    const scopeIds = await scopesOf(api.adminUrl, tenantId, name);
    callers.push({ size, sees, token: String(data.token), tenantId, scopeIds });
  }
  return callers;
}

export function scopesOf(adminUrl: string, tenantId: string, name: string): Promise<string[]> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select scope_id as id from app.acl_entry where tenant_id = $1 and principal_id = (
         select principal_id from control.credential where tenant_id = $1 and name = $2)`,
      [tenantId, name],
    );
    if (rows.length === 0) throw new Error(`${name} was granted nothing`);
    return rows.map(({ id }) => id);
  });
}

/** The first with at least this many. */
function tenantOfSize(adminUrl: string, documents: number): Promise<string> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select tenant_id as id from app.node group by 1 having count(*) >= $1 * 0.95 order by count(*), 1 limit 1`,
      [documents],
    );
    if (!rows[0]) throw new Error(`no tenant has ${documents} documents`);
    return rows[0].id;
  });
}

/** The product creates tokens; this one is then given to the other tenant's administrator. */
export async function administratorOf({ url, adminUrl, token }: Api, tenantId: string): Promise<string> {
  const name = `bench-${randomUUID()}`;
  const { data } = await type({ url, token }, `tokens create ${name}`);
  await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into app.principal (tenant_id, kind, name, is_administrator) values ($1, 'service', $2, true) returning id`,
      [tenantId, name],
    );
    await client.query("update control.credential set tenant_id = $1, principal_id = $2 where name = $3", [
      tenantId,
      rows[0]?.id,
      name,
    ]);
  });
  return String(data.token);
}

/** Folders while they fit, then single files: their ids in the form that people use. */
async function placesWith(adminUrl: string, tenantId: string, documents: number): Promise<string[]> {
  let wanted = Math.max(1, Math.round(documents));
  return withClient(adminUrl, async (client) => {
    const { rows: folders } = await client.query<{ id: string; count: number }>(
      `select folder.id, count(*)::int + 1 as count from app.node as folder
       join app.node as file on file.tenant_id = folder.tenant_id and file.parent_id = folder.id
       where folder.tenant_id = $1 and folder.kind = 'folder'
         and not exists (select from app.node as inner_folder where inner_folder.tenant_id = $1
           and inner_folder.parent_id = folder.id and inner_folder.kind = 'folder')
       group by 1 order by 1 desc`,
      [tenantId],
    );
    const chosen: string[] = [];
    const taken: string[] = [];
    for (const { id, count } of folders) {
      if (count > wanted) continue;
      chosen.push(encodeId("folder", id));
      taken.push(id);
      wanted -= count;
    }
    const { rows: files } = await client.query<{ id: string }>(
      `select id from app.node where tenant_id = $1 and kind = 'file' and not parent_id = any($2::uuid[])
       order by id limit $3`,
      [tenantId, taken, Math.min(wanted, mostFiles)],
    );
    return [...chosen, ...files.map(({ id }) => encodeId("file", id))];
  });
}

/** Each grant is one command. */
const mostFiles = 20;
