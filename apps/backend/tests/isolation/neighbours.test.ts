import { Database } from "@svc/database/database";
import { createTestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { FilesTown } from "../../testing/files-test.ts";
import { HttpCaller } from "../../testing/processes/http-caller.ts";
import { TestBackend } from "../../testing/test-backend.ts";

const writers = 32;

test("a tenant whose writers all wait for a lock does not stop its neighbour", async () => {
  const testDatabase = await createTestDatabase();
  onTestFinished(() => testDatabase.drop());
  const admin = new Database({ url: testDatabase.adminUrl, maxConnections: 2 });
  onTestFinished(() => admin.close());
  await waitPatientlyForLocks(admin, testDatabase.name);
  const backend = await TestBackend.start({ testDatabase, maxConnections: 10 });
  onTestFinished(() => backend.close());
  const busy = await FilesTown.build(backend, await backend.addTenant(), "Busy");
  const quiet = await FilesTown.build(backend, await backend.addTenant(), "Quiet");
  const newcomer = await quiet.person("Newcomer", "editor");

  let blocked: Promise<{ status: number }[]> = Promise.resolve([]);
  await admin.withTenant({ tenantId: busy.tenant.id, actorId: busy.tenant.id }, "write", async ({ db }) => {
    // Every write of a tenant ends by advancing this row.
    await sql`select from app.audit_head where tenant_id = ${busy.tenant.id} for update`.execute(db);
    blocked = Promise.all(
      Array.from({ length: writers }, (_, index) => busy.type(`files mkdir /folder-${index}`)),
    );
    await expect.poll(() => waitingForLocks(admin)).toBeGreaterThan(1);

    // The newcomer's credential is not cached: authentication needs connections, too.
    expect(await quiet.as(newcomer).tree()).toEqual([]);
    expect(await quiet.as(newcomer).put("/note.txt", "written meanwhile")).toMatchObject({ status: 200 });
    expect(await quiet.as(newcomer).cat("/note.txt")).toBe("written meanwhile");
    const health = await backend.server.inject({ url: "/readyz" });
    expect(health.statusCode).toBe(200);
  });
  const statuses = (await blocked).map(({ status }) => status);
  expect(statuses).toContain(200);
});

test("a tenant that sends many files slowly does not stop its neighbour's uploads", async () => {
  const backend = await TestBackend.start({ limits: { uploadsAtOnce: 3 } });
  onTestFinished(() => backend.close());
  const address = await backend.server.listen({ port: 0 });
  const busy = await FilesTown.build(backend, await backend.addTenant(), "Busy");
  const quiet = await FilesTown.build(backend, await backend.addTenant(), "Quiet");
  const sender = new HttpCaller(address, busy.owner);
  const gone = new AbortController();

  const sending = [];
  for (let file = 0; file < 6; file += 1) {
    const { href } = await sender.askToSend(busy.words(`files put ./slow.txt /slow-${file}.txt`));
    sending.push(sender.patch(href, 0, endless(), gone).catch(() => undefined));
  }
  await new HttpCaller(address, quiet.owner).send(quiet.words("files put ./note.txt /note.txt"), "arrived");
  expect(await quiet.cat("/note.txt")).toBe("arrived");
  gone.abort();
  await Promise.all(sending);
});

/** One byte, and then nothing as long as somebody waits. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
}

/** Longer than the test takes; otherwise the busy tenant's connections would time out. */
async function waitPatientlyForLocks(admin: Database, name: string): Promise<void> {
  await admin.withDirectory(async (db) => {
    for (const setting of ["lock_timeout", "statement_timeout"]) {
      const line = `alter role svc_app in database ${name} set ${setting} = '5min'`;
      await sql.raw(line).execute(db);
    }
  });
}

async function waitingForLocks(admin: Database): Promise<number> {
  const { rows } = await admin.withDirectory((db) =>
    sql<{ count: number }>`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db),
  );
  return rows[0]?.count ?? 0;
}
