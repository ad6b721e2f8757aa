import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import { TestBackend, type TestTenant } from "../../../../testing/test-backend.ts";

test("shows each change with its old and new values", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Marketing");
  const { body } = await backend.type(tenant.token, "workspaces rename marketing Growth");
  expect(await backend.run(tenant.token, `operations show ${body.operation}`)).toMatchObject({
    command: "workspaces rename",
    changes: [{ before: { name: "Marketing" }, after: { name: "Growth" } }],
  });
});

test("does not find another person's operation", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin");
  const { body } = await backend.type(tenant.token, "workspaces create Private");
  expect((await backend.type(rin.token, `operations show ${body.operation}`)).status).toBe(404);
});

describe("work in the background", () => {
  let backend: TestBackend;
  let tenant: TestTenant;
  let admin: pg.Client;
  let address: string;

  beforeAll(async () => {
    // Following can take longer than the time limit of a command.
    backend = await TestBackend.start({ limits: { bodyMillis: 500, commandMillis: 500 } });
    tenant = await backend.addTenant();
    address = await backend.server.listen({ port: 0 });
    admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await backend.close();
  });

  async function begun(): Promise<string> {
    await admin.query(
      "update app.search_reindex set state = 'done', ended_at = now() where ended_at is null",
    );
    const { operation } = await backend.run<{ operation: string }>(tenant.token, "search reindex");
    await progress("state = 'running', done = 1, total = 4");
    return operation;
  }

  /** When another connection last asked for the progress of an operation. */
  const looksOfOthers = `select max(query_start) as last from pg_stat_activity
    where datname = current_database() and usename = 'svc_app' and pid <> pg_backend_pid()`;

  const progress = (set: string) => admin.query(`update app.operation_progress set ${set}`);

  async function follow(operation: string, options: { signal?: AbortSignal } = {}): Promise<string> {
    const answer = await fetch(`${address}/api/v1/cli`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tenant.token}`,
        accept: "application/x-ndjson",
        "content-type": "application/json",
      },
      body: JSON.stringify({ argv: ["operations", "show", operation, "--follow"], want: "text" }),
      ...options,
    });
    return answer.text();
  }

  test("reports progress, then how the work ended", async () => {
    const operation = await begun();
    const following = follow(operation);
    await sleep(1_200);
    await progress("done = 3");
    await sleep(1_200);
    await progress("state = 'failed', done = 4, note = 'one was left out'");
    const lines = (await following).split("\n").filter((line) => line !== "");
    const told = lines.map((line) => JSON.parse(line));
    expect(told.slice(0, -1).map(({ kind, done, total, unit }) => [kind, done, total, unit])).toContainEqual([
      "progress",
      3,
      4,
      "documents",
    ]);
    expect(told[0]).toMatchObject({ kind: "progress", label: "search reindex", done: 1, total: 4 });
    expect(told.at(-1).text).toContain("(failed)");
    expect(told.at(-1).text).toContain("Done     4 of 4 documents\nNote     one was left out");
  });

  test("is shown once without --follow, and cannot be followed by others", async () => {
    const operation = await begun();
    const shown = await backend.run(tenant.token, `operations show ${operation}`);
    expect(shown).toMatchObject({ state: "running", progress: { done: 1, total: 4, unit: "documents" } });
    const rin = await tenant.addPerson("Rin");
    expect((await backend.type(rin.token, `operations show ${operation} --follow`)).status).toBe(404);
    await progress("state = 'done'");
    expect(await backend.run(tenant.token, `operations show ${operation} --follow`)).toMatchObject({
      state: "done",
    });
  });

  test("stops polling when the client disconnects", async () => {
    const operation = await begun();
    const gone = new AbortController();
    const following = follow(operation, { signal: gone.signal }).catch(() => undefined);
    await sleep(300);
    gone.abort();
    await following;
    await sleep(1_200);
    const { rows: before } = await admin.query(looksOfOthers);
    await sleep(2_500);
    const { rows: after } = await admin.query(looksOfOthers);
    expect(after).toEqual(before);
  });
});
