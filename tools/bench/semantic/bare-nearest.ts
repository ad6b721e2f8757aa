import type pg from "pg";
import type { MeaningCaller } from "./callers.ts";
import type { Near } from "./our-search.ts";

/** Statements by somebody who knows the tenant's shelf, what the caller sees, and which method is best. */
export type BareStatement = keyof typeof statements;

export interface BareQuestion extends Pick<MeaningCaller, "tenantId" | "visibility"> {
  shelf: number;
  model: string;
  vector: string;
}

const top = 10;
/** A file has two chunks at most here. */
const enoughChunks = 2 * top;

const place = `
  select id from app.search_place where tenant_id = $1 and not is_hidden and workspace_id = any($2::uuid[])
    and ($3::uuid[] is null or acl_scope_id = any($3::uuid[]))`;

function collapsed(chunks: string): string {
  return `select node_id as id, min(distance) as distance from (${chunks}) as chunk group by 1 order by 2 limit ${top}`;
}

const statements = {
  /** Each visible chunk compared. */
  exact: `with place as materialized (${place})
     ${collapsed(`
       select node_id, (embedding <=> $5::halfvec) + 0 as distance
       from place join app.file_embedding on place_id = place.id
       where tenant_id = $1 and shelf_id = $6 and model = $4 order by 2 limit ${enoughChunks}`)}`,
  /** The graph, walked on until there are enough. */
  graph: `with place as materialized (${place})
     ${collapsed(`
       select node_id, embedding <=> $5::halfvec as distance from app.file_embedding
       where tenant_id = $1 and shelf_id = $6 and model = $4 and (place_id in (select id from place)) is true
       order by 2 limit ${enoughChunks}`)}`,
  /** The obvious statement. */
  default: `select node_id as id, embedding <=> $5::halfvec as distance from app.file_embedding
     where tenant_id = $1 and shelf_id = $6 and model = $4 and place_id in (${place})
     order by 2 limit ${top}`,
};

const settings: Record<BareStatement, string> = {
  exact: "set jit = off",
  graph: `set jit = off; set enable_sort = off; set enable_seqscan = off; set hnsw.iterative_scan = relaxed_order;
    set hnsw.ef_search = 400`,
  default: "",
};

/**
 * One connection for each statement, which has its settings. In a transaction of the tenant: the table has a policy.
 */
export async function prepareBare(client: pg.Client, statement: BareStatement) {
  await client.query(settings[statement]);
  return async ({ tenantId, visibility, shelf, model, vector }: BareQuestion): Promise<Near[]> => {
    const { workspaceIds, scopeIds } = visibility;
    const values = [tenantId, workspaceIds, scopeIds === "all" ? null : scopeIds, model, vector];
    await client.query(
      `begin isolation level repeatable read, read only; select set_config('app.tenant_id', '${tenantId}', true)`,
    );
    const { rows } = await client.query<Near>(statements[statement], [...values, shelf]);
    await client.query("commit");
    return rows;
  };
}

export async function whatHeSees(
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
