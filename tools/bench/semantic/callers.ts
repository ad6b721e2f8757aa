import { randomUUID } from "node:crypto";
import { encodeId } from "@svc/protocol/typed-id";
import type { Visibility } from "@svc/search/visibility/visible-documents";
import { benchSize } from "../bench-size.ts";
import { type } from "../file-caller.ts";
import { type Api, administratorOf, scopesOf } from "../fulltext/callers.ts";
import { withClient } from "../with-client.ts";

/** A caller who searches by meaning, and what they may see. */
export interface MeaningCaller {
  /** Chunks of the caller's tenant. */
  size: number;
  sees: string;
  token: string;
  tenantId: string;
  visibility: Visibility;
}

/** In the largest tenant: a fraction of its chunks, or a number of them. */
const parts = benchSize<Record<string, number>>(
  { "30 %": 0.3, "10 %": 0.1, "1 %": 0.01, "0.1 %": 0.001, "20 rows": 20, "1 row": 1 },
  { "30 %": 0.3, "1 row": 1 },
);
/** Other tenants, whose callers see all. */
const smallTenants = benchSize([2_000, 50], [50, 5]);

export async function addMeaningCallers(api: Api): Promise<MeaningCaller[]> {
  const tenants = await tenantSizes(api.adminUrl);
  const [largest, ...others] = tenants;
  if (!largest) throw new Error("nobody has chunks");
  const administrator = await addAdministrator(api, largest);
  const callers = [administrator];
  for (const [sees, part] of Object.entries(parts)) {
    const chunks = part < 1 ? Math.max(1, Math.round(part * largest.chunks)) : part;
    callers.push(await addGuest(api, administrator, sees, chunks));
  }
  for (const size of smallTenants) {
    const tenant = others.findLast(({ chunks }) => chunks >= size) ?? largest;
    callers.push(await addAdministrator(api, tenant));
  }
  return callers;
}

interface TenantSize {
  id: string;
  chunks: number;
}

/** The largest first. */
function tenantSizes(adminUrl: string): Promise<TenantSize[]> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<TenantSize>(
      "select tenant_id as id, count(*)::int as chunks from app.file_embedding group by 1 order by 2 desc, 1",
    );
    return rows;
  });
}

async function addAdministrator(api: Api, { id: tenantId, chunks }: TenantSize): Promise<MeaningCaller> {
  const token = await administratorOf(api, tenantId);
  const visibility = {
    workspaceIds: await workspacesOf(api.adminUrl, tenantId),
    scopeIds: "all",
    doorIds: [],
  } as const;
  return { size: chunks, sees: "all", token, tenantId, visibility };
}

async function addGuest(
  { url, adminUrl }: Api,
  { size, token, tenantId, visibility: { workspaceIds } }: MeaningCaller,
  sees: string,
  chunks: number,
): Promise<MeaningCaller> {
  const name = `bench-${randomUUID()}`;
  const { data } = await type({ url, token }, `tokens create ${name}`);
  for (const id of await placesWith(adminUrl, tenantId, chunks)) {
    await type({ url, token }, `access grant ${id} ${name} --role viewer`);
  }
  const scopeIds = await scopesOf(adminUrl, tenantId, name);
  return {
    size,
    sees,
    token: String(data.token),
    tenantId,
    visibility: { workspaceIds, scopeIds, doorIds: [] },
  };
}

function workspacesOf(adminUrl: string, tenantId: string): Promise<string[]> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "select id from app.workspace where tenant_id = $1 and trashed_at is null",
      [tenantId],
    );
    return rows.map(({ id }) => id);
  });
}

/** Each grant is one command, so many chunks are granted as whole folders, and only few as files. */
const mostInFiles = benchSize(200, 20);

/**
 * Folders without folders, or files that are in none of these: a granted file has its own list, and would be missing
 * from its folder the next time.
 */
function placesWith(adminUrl: string, tenantId: string, chunks: number): Promise<string[]> {
  const kind = chunks <= mostInFiles ? "file" : "folder";
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string; count: number }>(
      `with leaf as (
         select id from app.node as folder where tenant_id = $1 and kind = 'folder' and not exists (
           select from app.node as inner_folder
           where inner_folder.tenant_id = $1 and inner_folder.parent_id = folder.id and inner_folder.kind = 'folder')),
       counted as (
         select case when $2 = 'folder' then parent_id else node.id end as id, parent_id in (select id from leaf) as is_in_leaf
         from app.file_embedding as embedding join app.node on node.tenant_id = $1 and node.id = embedding.node_id
         where embedding.tenant_id = $1)
       select id, count(*)::int as count from counted where is_in_leaf = ($2 = 'folder') group by 1 order by 2 desc, 1`,
      [tenantId, kind],
    );
    let wanted = chunks;
    const chosen: string[] = [];
    for (const { id, count } of rows) {
      if (count > wanted) continue;
      chosen.push(encodeId(kind, id));
      wanted -= count;
    }
    return chosen;
  });
}
