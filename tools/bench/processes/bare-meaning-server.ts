import Fastify from "fastify";
import pg from "pg";
import { type BareMeaningCall, bareEnvironment } from "./bare-process.ts";
import { nodesWithPaths, readableOf, type Scope, scopesOfCaller } from "./bare-rights.ts";

/**
 * The minimum that can search by meaning for any caller: one handwritten handler, one transaction with the tenant set,
 * prepared statements. It reads the caller's rights as the product does, finds the nearest chunks of what they may read,
 * and reads the files back with their paths, a passage and a second look at the rights. Callers and query vectors are
 * kept in memory, as the product caches them. It is told which way is best: to compare everything, or to walk the graph.
 */
const port = Number(process.env[bareEnvironment.port]);
const call = JSON.parse(process.env[bareEnvironment.call] ?? "") as BareMeaningCall;
const pool = new pg.Pool({ connectionString: call.databaseUrl, max: call.poolSize });
const app = Fastify({ bodyLimit: 16 * 1024 * 1024 });

interface Caller {
  tenantId: string;
  actorId: string;
  isAdministrator: boolean;
  shelf: number;
}

const callers = new Map<string, Caller>();
const vectors = new Map<string, string>();

const top = 10;
/** A file has two chunks at most here. */
const enoughChunks = 2 * top;

const workspaces = `
  select id from app.workspace
  where tenant_id = $1 and trashed_at is null and semantic_search_enabled and ($2::uuid[] is null or id = any($2::uuid[]))`;

const place = `
  select id from app.search_place where tenant_id = $1 and not is_hidden and workspace_id = any($2::uuid[])
    and ($3::uuid[] is null or acl_scope_id = any($3::uuid[]))`;
const nearest = {
  exact: `
    select node_id, start_at, (embedding <=> $5::halfvec) + 0 as distance
    from place join app.file_embedding on place_id = place.id
    where tenant_id = $1 and shelf_id = $6 and model = $4 order by 3 limit ${enoughChunks}`,
  graph: `
    select node_id, start_at, embedding <=> $5::halfvec as distance from app.file_embedding
    where tenant_id = $1 and shelf_id = $6 and model = $4 and (place_id in (select id from place)) is true
    order by 3 limit ${enoughChunks}`,
};
const settings = {
  exact: "",
  graph:
    "set local enable_sort = off;set local enable_seqscan = off;set local hnsw.iterative_scan = relaxed_order;" +
    "set local hnsw.ef_search = 400;",
};
const closest = (way: Way) => `
  with place as materialized (${place})
  select distinct on (node_id) node_id as id, start_at as start, distance from (${nearest[way]}) as chunk
  order by node_id, distance`;
const shown = nodesWithPaths({
  passage: "substr(stored.text, near.start + 1, 200)",
  near: "join unnest($2::uuid[], $3::int[]) as near (id, start) on near.id = node.id",
});

type Way = keyof typeof nearest;

app.get("/", async () => ({ ok: true }));

app.post<{ Body: { callers: Record<string, Caller>; vectors: Record<string, string> } }>(
  "/known",
  async ({ body }) => {
    for (const [token, caller] of Object.entries(body.callers)) callers.set(token, caller);
    for (const [text, vector] of Object.entries(body.vectors)) vectors.set(text, vector);
    return {};
  },
);

app.post<{ Body: { query: string; way: Way } }>(
  "/search",
  async ({ headers, body: { query, way } }, reply) => {
    const caller = callers.get(headers.authorization ?? "");
    const vector = vectors.get(query);
    if (!caller || vector === undefined) return reply.code(401).send({});
    const { tenantId, actorId, shelf } = caller;
    const client = await pool.connect();
    const ask = async <Row extends object>(name: string, text: string, values: unknown[]) =>
      (await client.query<Row>({ name, text, values })).rows;
    try {
      await client.query(
        `begin isolation level repeatable read, read only;set local jit = off;${settings[way]}` +
          `select set_config('app.tenant_id', '${tenantId}', true), set_config('app.actor_id', '${actorId}', true)`,
      );
      const readable = caller.isAdministrator
        ? undefined
        : readableOf(await ask<Scope>("scopes", scopesOfCaller, [tenantId, actorId]));
      const mine = readable && [...new Set(readable.values())];
      const searched = await ask<{ id: string }>("workspaces", workspaces, [tenantId, mine]);
      const files = await ask<{ id: string; start: number; distance: number }>(way, closest(way), [
        tenantId,
        searched.map(({ id }) => id),
        readable && [...readable.keys()],
        call.model,
        vector,
        shelf,
      ]);
      const near = files.sort((left, right) => left.distance - right.distance).slice(0, top);
      const rows = await ask<{ id: string; acl_scope_id: string }>("shown", shown, [
        tenantId,
        near.map(({ id }) => id),
        near.map(({ start }) => start),
      ]);
      await client.query("commit");
      const byId = new Map(rows.map((row) => [row.id, row]));
      return near.flatMap(({ id, distance }) => {
        const row = byId.get(id);
        return row && (!readable || readable.has(row.acl_scope_id)) ? [{ ...row, distance }] : [];
      });
    } finally {
      client.release();
    }
  },
);

await app.listen({ host: "127.0.0.1", port });
process.on("SIGTERM", () => void app.close().then(() => pool.end()));
