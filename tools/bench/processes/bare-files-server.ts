import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import Fastify from "fastify";
import pg from "pg";
import { type BareFilesCall, bareEnvironment } from "./bare-process.ts";

/**
 * The minimum that can list, describe and store files for one caller: one route each, one transaction with the tenant
 * set, prepared statements, rows as JSON. The caller is given; their rights are queried, because nobody can list
 * without them.
 */
const port = Number(process.env[bareEnvironment.port]);
const call = JSON.parse(process.env[bareEnvironment.call] ?? "") as BareFilesCall;
const { tenantId, actorId, workspace } = call;
const pool = new pg.Pool({ connectionString: call.databaseUrl, max: call.poolSize });
const app = Fastify();

const readable = `
  with recursive me as (
    select $2::uuid as id
    union
    select membership.group_id from me
    join app.group_member as membership on membership.tenant_id = $1 and membership.principal_id = me.id),
  workspace as (select id from app.workspace where tenant_id = $1 and slug = $3 and trashed_at is null),
  readable as (
    select entry.scope_id as id from workspace
    join app.acl_scope as scope on scope.tenant_id = $1 and scope.workspace_id = workspace.id
    join app.acl_entry as entry on entry.tenant_id = $1 and entry.scope_id = scope.id
    where entry.principal_id in (select id from me)
    union
    select scope.id from readable
    join app.acl_scope as scope on scope.tenant_id = $1 and scope.parent_id = readable.id and scope.inherits)
  select workspace.id, array(select id from readable) as readable from workspace`;
const walk = `
  with recursive walk as (
    select 1 as next, $2::uuid as id
    union all
    select next + 1, node.id from walk join app.node
      on tenant_id = $1 and parent_id = walk.id and name = ($3::text[])[next] and trashed_at is null)
  select node.id, kind, name, size, media_type, content_version, encode(sha256, 'hex') as sha256, created_at, updated_at
  from walk join app.node on tenant_id = $1 and node.id = walk.id
  where next = cardinality($3::text[]) + 1 and acl_scope_id = any ($4::uuid[])`;
const children = `
  select id, kind, name, size, media_type, updated_at from app.node
  where tenant_id = $1 and parent_id = $2 and trashed_at is null and acl_scope_id = any ($3::uuid[])
  order by kind <> 'folder', name limit 51`;
const text = `
  select outcome, length(text) as characters from app.node_text
  where tenant_id = $1 and node_id = $2 and content_version = $3`;

app.get("/", async () => ({ ok: true }));

app.get<{ Querystring: { path: string } }>("/list", ({ query: { path } }) =>
  transact("read only", async (ask) => {
    const { node, scopes } = await locate(ask, path);
    return ask("children", children, [tenantId, node?.id, scopes]);
  }),
);

app.get<{ Querystring: { path: string } }>("/stat", ({ query: { path } }) =>
  transact("read only", async (ask) => {
    const { node } = await locate(ask, path);
    return { node, text: await ask("text", text, [tenantId, node?.id, node?.content_version]) };
  }),
);

app.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_request, body, done) =>
  done(null, body),
);
app.post<{ Querystring: { name: string }; Body: Buffer }>("/put", async ({ query: { name }, body }) => {
  const sha256 = createHash("sha256").update(body).digest();
  const storageKey = randomUUID();
  await writeObject(storageKey, body);
  return transact("read write", async (ask) => {
    const [place] = await ask<{ id: string }>(
      "workspace",
      "select id from app.workspace where tenant_id = $1 and slug = $2 and trashed_at is null",
      [tenantId, workspace],
    );
    const [node] = await ask<{ id: string }>(
      "node",
      `insert into app.node (tenant_id, workspace_id, parent_id, kind, name, acl_scope_id, content_version, size,
         media_type, sha256, created_by, updated_by)
       values ($1, $2, $2, 'file', $3, $2, 1, $4, 'text/plain', $5, $6, $6) returning id`,
      [tenantId, place?.id, name, body.length, sha256, actorId],
    );
    await ask(
      "blob",
      `insert into app.blob as blob (tenant_id, sha256, size, storage_key, reference_count) values ($1, $2, $3, $4, 1)
       on conflict (tenant_id, sha256) do update set reference_count = blob.reference_count + 1`,
      [tenantId, sha256, body.length, storageKey],
    );
    await ask(
      "version",
      `insert into app.node_version (tenant_id, node_id, content_version, size, media_type, sha256, created_by)
       values ($1, $2, 1, $3, 'text/plain', $4, $5)`,
      [tenantId, node?.id, body.length, sha256, actorId],
    );
    await ask(
      "put-text",
      `insert into app.node_text (tenant_id, node_id, content_version, outcome, text, extractor_version)
       values ($1, $2, 1, 'ok', $3, 1)`,
      [tenantId, node?.id, body.toString()],
    );
    return node;
  });
});

type Ask = <Row extends object>(name: string, statement: string, values: unknown[]) => Promise<Row[]>;

async function locate(ask: Ask, path: string) {
  const [found] = await ask<{ id: string; readable: string[] }>("readable", readable, [
    tenantId,
    actorId,
    workspace,
  ]);
  const scopes = found?.readable ?? [];
  const names = path.split("/").filter((name) => name !== "");
  const [node] = await ask<{ id: string; content_version: number }>("walk", walk, [
    tenantId,
    found?.id,
    names,
    scopes,
  ]);
  return { node, scopes };
}

async function transact<T>(mode: "read only" | "read write", work: (ask: Ask) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(
      `begin ${mode};select set_config('app.tenant_id', '${tenantId}', true),` +
        ` set_config('app.actor_id', '${actorId}', true)`,
    );
    const ask: Ask = async <Row extends object>(name: string, statement: string, values: unknown[]) =>
      (await client.query<Row>({ name, text: statement, values })).rows;
    const result = await work(ask);
    await client.query("commit");
    return result;
  } finally {
    client.release();
  }
}

/** As durable as in the product: the bytes, then the name. */
async function writeObject(storageKey: string, bytes: Buffer): Promise<void> {
  const folder = join(call.blobFolder, tenantId, storageKey.slice(-2));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const place = join(folder, storageKey);
  const file = await open(`${place}.pending`, "wx", 0o600);
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
  await rename(`${place}.pending`, place);
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

await app.listen({ host: "127.0.0.1", port });
process.on("SIGTERM", () => void app.close().then(() => pool.end()));
