import { Database } from "@svc/database/database";
import { waitUntil } from "@svc/testing/wait-until";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";

let backend: TestBackend;
let admin: Database;
let tenant: TestTenant;

beforeAll(async () => {
  backend = await TestBackend.start();
  admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 1 });
});
beforeEach(async () => {
  tenant = await backend.addTenant();
});
afterAll(async () => {
  await admin.close();
  await backend.close();
});

interface Entry {
  outcome: string;
  more?: number;
  byCommand?: Record<string, number>;
  moreChanges?: number;
  cut?: { bytes: number; sha256: string };
  arguments: Record<string, unknown>;
}

async function entries(): Promise<{ bytes: number; entry: Entry }[]> {
  const { rows } = await admin.withDirectory((db) =>
    sql<{ bytes: number; entry: Entry }>`
      select octet_length(entry::text) as bytes, entry from app.audit
      where tenant_id = ${tenant.id} order by sequence`.execute(db),
  );
  return rows;
}

const verified = () => backend.run(tenant.token, "audit verify");

test("ten refused calls with large arguments leave some kilobytes", async () => {
  const person = await tenant.addPerson("Person");
  const line = ["records", "create", "none", "--body", "語".repeat(100_000), "--workspace", "none"];
  for (let call = 0; call < 10; call += 1) expect((await backend.type(person.token, line)).status).toBe(404);
  const written = await entries();
  expect(written).toHaveLength(10);
  for (const { bytes } of written) expect(bytes).toBeLessThanOrEqual(4_096);
  expect(await verified()).toMatchObject({ intact: true });
});

test("previews and commits of long texts and many changes are bounded too, and say what was cut", async () => {
  await backend.run(tenant.token, "workspaces create Home");
  await backend.run(tenant.token, "collections create Notes --field name:text --workspace home");
  const body = "long ".repeat(2_000);
  const line = ["records", "create", "notes", "--set", "name=a", "--body", body, "--workspace", "home"];
  await backend.run(tenant.token, [...line, "--dry-run"]);
  await backend.run(tenant.token, line);
  const csv = `name\n${Array.from({ length: 300 }, (_, index) => `row ${index}`).join("\n")}\n`;
  const imported = await backend.send(
    tenant.token,
    ["records", "import", "notes", "./rows.csv", "--workspace", "home"],
    csv,
  );
  expect(imported.status).toBe(200);
  const written = await entries();
  for (const { bytes } of written) expect(bytes).toBeLessThanOrEqual(4_096);
  const cut = written.filter(({ entry }) => entry.cut);
  expect(cut.map(({ entry }) => entry.outcome)).toEqual(expect.arrayContaining(["previewed", "committed"]));
  for (const { entry } of cut) expect(entry.cut?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(await verified()).toMatchObject({ intact: true });
});

test("a flood of refusals leaves twenty entries and one with the count, per caller", async () => {
  const flooding = await TestBackend.start({ testDatabase: backend.testDatabase });
  const [person, other] = [await tenant.addPerson("Person"), await tenant.addPerson("Other")];
  for (let call = 0; call < 50; call += 1) await flooding.type(person.token, "tokens revoke none");
  for (let call = 0; call < 30; call += 1) await flooding.type(person.token, "groups delete none");
  await flooding.type(other.token, "tokens revoke none");
  expect(await entries()).toHaveLength(21);
  await flooding.close();

  const written = await entries();
  expect(written).toHaveLength(22);
  expect(written[19]?.entry).toMatchObject({ countingFollows: true });
  expect(written.at(-1)?.entry).toMatchObject({
    outcome: "refused",
    more: 60,
    byCommand: { "tokens revoke": 30, "groups delete": 30 },
  });
  expect(await verified()).toMatchObject({ intact: true });
  const { items } = await backend.run<{ items: { more?: number }[] }>(tenant.token, "audit list");
  expect(items[0]).toMatchObject({ more: 60, arguments: "(60 more refusals within a minute)" });
});

test("the count is written when the minute ends, and counting restarts", async () => {
  const person = await tenant.addPerson("Person");
  // Its time does not pass by itself: the minute would end early on a slow machine.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    for (let call = 0; call < 25; call += 1) await backend.type(person.token, "tokens revoke none");
    expect(await entries()).toHaveLength(20);
    vi.advanceTimersByTime(60_000);
    await waitUntil(async () => expect((await entries()).at(-1)?.entry.more).toBe(5));
    await backend.type(person.token, "tokens revoke none");
    expect(await entries()).toHaveLength(22);
  } finally {
    vi.useRealTimers();
  }
});
