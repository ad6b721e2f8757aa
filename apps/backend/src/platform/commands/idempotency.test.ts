import { randomUUID } from "node:crypto";
import { Database } from "@svc/database/database";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";

let backend: TestBackend;
let tenant: TestTenant;
let admin: Database;

beforeAll(async () => {
  backend = await TestBackend.start();
  tenant = await backend.addTenant();
  admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 1 });
});
afterAll(async () => {
  await admin.close();
  await backend.close();
});

function typeWithKey(key: string, line: string, token = tenant.token) {
  return backend.type(token, line, { headers: { "idempotency-key": key } });
}

async function workspacesNamed(name: string): Promise<number> {
  const { items } = await backend.run<{ items: { name: string }[] }>(
    tenant.token,
    "workspaces list --limit 200",
  );
  return items.filter((workspace) => workspace.name === name).length;
}

async function rows(): Promise<string[]> {
  const { rows: found } = await admin.withDirectory((db) =>
    sql<{ row: string }>`select idempotency::text as row from app.idempotency`.execute(db),
  );
  return found.map(({ row }) => row);
}

test("the same key with the same request replays the first answer and does nothing", async () => {
  const key = randomUUID();
  const first = await typeWithKey(key, "workspaces create Once");
  const again = await typeWithKey(key.toUpperCase(), "workspaces create Once");
  expect(first.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect([first, again].map(({ headers }) => headers["idempotency-replayed"])).toEqual([undefined, "true"]);
  expect(await workspacesNamed("Once")).toBe(1);
});

test.for([
  ["another argument", "workspaces create Second"],
  ["another command", "workspaces delete First"],
  ["another workspace", "workspaces create First --workspace other"],
  ["another confirmation", "workspaces create First --confirm true"],
] as const)("the same key with %s is refused", async ([, line]) => {
  const key = randomUUID();
  await backend.type(tenant.token, "workspaces delete First");
  expect((await typeWithKey(key, "workspaces create First")).status).toBe(200);
  const { status, body } = await typeWithKey(key, line);
  expect([status, body.code]).toEqual([422, "idempotency_key_reused"]);
  expect([await workspacesNamed("First"), await workspacesNamed("Second")]).toEqual([1, 0]);
});

test("concurrent requests with one key run once and get one answer", async () => {
  const key = randomUUID();
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => typeWithKey(key, "workspaces create Together")),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  for (const { body } of replies) expect(body).toEqual(replies[0]?.body);
  expect(replies.filter(({ headers }) => headers["idempotency-replayed"] === "true")).toHaveLength(7);
  expect(await workspacesNamed("Together")).toBe(1);
});

test("a failed command frees its key", async () => {
  const key = randomUUID();
  expect((await typeWithKey(key, "workspaces rename Later Now")).status).toBe(404);
  await backend.run(tenant.token, "workspaces create Later");
  const { status, headers } = await typeWithKey(key, "workspaces rename Later Now");
  expect([status, headers["idempotency-replayed"]]).toEqual([200, undefined]);
});

test("another actor's same key is another key", async () => {
  const key = randomUUID();
  const other = await tenant.addPerson("Other");
  const mine = await typeWithKey(key, "workspaces create Mine");
  const theirs = await typeWithKey(key, "workspaces create Theirs", other.token);
  expect([mine.status, theirs.status]).toEqual([200, 200]);
  expect(theirs.body.data).toMatchObject({ name: "Theirs" });

  const elsewhere = await backend.addTenant();
  const foreign = await typeWithKey(key, "workspaces create Mine", elsewhere.token);
  expect([foreign.status, foreign.headers["idempotency-replayed"]]).toEqual([200, undefined]);
});

test("a new token is replayed to the caller who created it, and the table holds neither the token nor the key", async () => {
  const key = randomUUID();
  const first = await typeWithKey(key, "tokens create replayed");
  const again = await typeWithKey(key, "tokens create replayed");
  const { token } = first.body.data as { token: string };
  expect(again.body.data).toMatchObject({ token });
  expect((await backend.type(token, "whoami")).status).toBe(200);

  const stored = (await rows()).join("\n");
  expect(stored).toContain("\\x");
  const secret = token.split("_")[3]?.slice(0, 43) ?? "";
  for (const plain of [token, secret, key, key.replaceAll("-", ""), "replayed"]) {
    expect(stored).not.toContain(plain);
    expect(stored).not.toContain(Buffer.from(plain).toString("hex"));
  }
});

test("an answer opens only with its own key", async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  await typeWithKey(one, "workspaces create Sealed");
  const before = await rows();
  await typeWithKey(other, "workspaces create Swapped");
  // Acts like an operator who copies one answer into another row, to show it to somebody else.
  await admin.withDirectory((db) =>
    sql`
      update app.idempotency set sealed_outcome = (
        select sealed_outcome from app.idempotency where idempotency::text = ${before.at(-1)})
      where not (idempotency::text = any(${before}))`.execute(db),
  );
  const swapped = () => typeWithKey(other, "workspaces create Swapped");
  const { status, body } = await backend.whileBroken(swapped);
  expect([status, body.code, body.data]).toEqual([500, "internal", undefined]);
});

test("refuses a key that is not a UUID", async () => {
  const { status, body } = await typeWithKey("1", "workspaces create Short");
  expect([status, body.code]).toEqual([400, "invalid_request"]);
});
