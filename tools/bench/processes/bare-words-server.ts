import { Database, type TenantTransaction } from "@svc/database/database";
import Fastify from "fastify";
import { CompiledQuery } from "kysely";
import { BareSearch } from "../fulltext/bare-search.ts";
import { type BarePlace, bareEnvironment } from "./bare-process.ts";
import { nodesWithPaths, readableOf, type Scope, scopesOfCaller } from "./bare-rights.ts";

/**
 * The minimum that can search words for any caller: one handwritten handler and one transaction. It reads the caller's
 * rights, ranks with the product's own statements, and reads the hits back with their paths, the beginning of their
 * text and a second look at the rights. Callers are kept in memory, as the product caches them.
 */
const port = Number(process.env[bareEnvironment.port]);
const { databaseUrl, poolSize } = JSON.parse(process.env[bareEnvironment.call] ?? "") as BarePlace;
const database = new Database({ url: databaseUrl, maxConnections: poolSize });
const search = new BareSearch();
const app = Fastify();

interface Caller {
  tenantId: string;
  actorId: string;
  isAdministrator: boolean;
}

const callers = new Map<string, Caller>();

const workspaces = `
  select id from app.workspace
  where tenant_id = $1 and trashed_at is null and ($2::uuid[] is null or id = any($2::uuid[]))`;
const shown = nodesWithPaths({ passage: "left(stored.text, 200)" });

app.get("/", async () => ({ ok: true }));

app.post<{ Body: Record<string, Caller> }>("/known", async ({ body }) => {
  for (const [authorization, caller] of Object.entries(body)) callers.set(authorization, caller);
  return {};
});

app.post<{ Body: { query: string } }>("/search", async ({ headers, body }, reply) => {
  const caller = callers.get(headers.authorization ?? "");
  if (!caller) return reply.code(401).send({});
  return database.withTenant(caller, "read", async (transaction) => {
    const { tenantId, actorId } = caller;
    const readable = caller.isAdministrator
      ? undefined
      : readableOf(await ask<Scope>(transaction, scopesOfCaller, [tenantId, actorId]));
    const mine = readable && [...new Set(readable.values())];
    const entered = await ask<{ id: string }>(transaction, workspaces, [tenantId, mine]);
    const visibility = {
      workspaceIds: entered.map(({ id }) => id),
      scopeIds: readable ? [...readable.keys()] : ("all" as const),
      doorIds: [],
    };
    const ids = await search.best(transaction, visibility, body.query);
    const rows = await ask<{ id: string; acl_scope_id: string }>(transaction, shown, [tenantId, ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      return row && (!readable || readable.has(row.acl_scope_id)) ? [row] : [];
    });
  });
});

async function ask<Row>({ db }: TenantTransaction, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, values) as CompiledQuery<Row>);
  return rows;
}

// As the product answers when no connection becomes free in time: the bench asks again, and the time counts.
app.setErrorHandler<Error>((error, _request, reply) =>
  reply.code(error.name === "ShareRefused" ? 503 : 500).send({ message: error.message }),
);

await app.listen({ host: "127.0.0.1", port });
process.on("SIGTERM", () => void app.close().then(() => database.close()));
