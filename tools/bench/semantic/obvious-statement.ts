import type pg from "pg";
import type { MeaningCaller } from "./callers.ts";
import type { Near } from "./our-search.ts";

interface BareQuestion extends Pick<MeaningCaller, "tenantId" | "visibility"> {
  shelf: number;
  model: string;
  vector: string;
}

const top = 10;

const place = `
  select id from app.search_place where tenant_id = $1 and not is_hidden and workspace_id = any($2::uuid[])
    and ($3::uuid[] is null or acl_scope_id = any($3::uuid[]))`;

const obvious = `
  select node_id as id, embedding <=> $5::halfvec as distance from app.file_embedding
  where tenant_id = $1 and shelf_id = $6 and model = $4 and place_id in (${place})
  order by 2 limit ${top}`;

/** The obvious statement, with rights given, in a transaction of the tenant: the table has a policy. */
export function prepareObvious(client: pg.Client) {
  return async ({ tenantId, visibility, shelf, model, vector }: BareQuestion): Promise<Near[]> => {
    const { workspaceIds, scopeIds } = visibility;
    const values = [tenantId, workspaceIds, scopeIds === "all" ? null : scopeIds, model, vector];
    await client.query(
      `begin isolation level repeatable read, read only; select set_config('app.tenant_id', '${tenantId}', true)`,
    );
    const { rows } = await client.query<Near>(obvious, [...values, shelf]);
    await client.query("commit");
    return rows;
  };
}

export async function whatTheySee(
  admin: pg.Client,
  { tenantId, visibility: { workspaceIds, scopeIds } }: MeaningCaller,
): Promise<{ shelf: number; visibleFiles: number }> {
  const { rows } = await admin.query<{ shelf: number; visibleFiles: number }>(
    `select min(shelf_id) as shelf, count(distinct node_id)::int as "visibleFiles" from app.file_embedding
     where tenant_id = $1 and place_id in (${place})`,
    [tenantId, workspaceIds, scopeIds === "all" ? null : scopeIds],
  );
  if (!rows[0]) throw new Error("the caller sees nothing");
  return rows[0];
}
