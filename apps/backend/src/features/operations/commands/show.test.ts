import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, vi } from "vitest";
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
  /** The same, where commands must end immediately. Following takes longer, and may. */
  let hasty: TestBackend;
  let tenant: TestTenant;
  let admin: pg.Client;
  let address: string;

  beforeAll(async () => {
    backend = await TestBackend.start();
    hasty = await TestBackend.start({
      testDatabase: backend.testDatabase,
      limits: { commandMillis: 1 },
    });
    tenant = await backend.addTenant();
    address = await hasty.server.listen({ port: 0 });
    admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await hasty.close();
    await backend.close();
  });

  async function begun({ token }: TestTenant = tenant): Promise<string> {
    await admin.query(
      "update app.search_reindex set state = 'done', ended_at = now() where ended_at is null",
    );
    const { operation } = await backend.run<{ operation: string }>(token, "search reindex");
    await progress("state = 'running', done = 1, total = 4");
    return operation;
  }

  const progress = (set: string) => admin.query(`update app.operation_progress set ${set}`);

  const connections = () => promisify(hasty.server.server.getConnections.bind(hasty.server.server))();

  /** Each line as it arrives. */
  async function* follow(
    operation: string,
    { token = tenant.token, signal }: { token?: string; signal?: AbortSignal } = {},
  ): AsyncGenerator<Told> {
    const answer = await fetch(`${address}/api/v1/cli`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/x-ndjson",
        "content-type": "application/json",
      },
      body: JSON.stringify({ argv: ["operations", "show", operation, "--follow"], want: "text" }),
      ...(signal && { signal }),
    });
    for await (const line of createInterface(Readable.fromWeb(answer.body as never))) {
      if (line !== "") yield JSON.parse(line);
    }
  }

  test("reports progress, then how the work ended", async () => {
    const told: Told[] = [];
    for await (const line of follow(await begun())) {
      told.push(line);
      if (line.done === 1) await progress("done = 3");
      if (line.done === 3) await progress("state = 'failed', done = 4, note = 'one was left out'");
    }
    expect(told.slice(0, -1).map(({ kind, done, total, unit }) => [kind, done, total, unit])).toContainEqual([
      "progress",
      3,
      4,
      "documents",
    ]);
    expect(told[0]).toMatchObject({ kind: "progress", label: "search reindex", done: 1, total: 4 });
    expect(told.at(-1)?.text).toContain("(failed)");
    expect(told.at(-1)?.text).toContain("Done     4 of 4 documents\nNote     one was left out");
    expect((await hasty.type(tenant.token, "whoami")).body.code).toBe("timeout");
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
    const other = await backend.addTenant();
    const otherOperation = await begun(other);
    const operation = await begun();
    const used = vi.spyOn(hasty.database, "withTenant");
    onTestFinished(async () => {
      used.mockRestore();
      // Otherwise a follower who never stops would keep the server from closing.
      await progress("state = 'done'");
    });
    const looks = ({ id }: TestTenant) => used.mock.calls.filter(([scope]) => scope.tenantId === id).length;

    const gone = new AbortController();
    const following = follow(operation, { signal: gone.signal });
    await following.next();
    gone.abort();
    await expect(following.next()).rejects.toThrow();
    await waitUntil(async () => {
      hasty.server.server.closeIdleConnections();
      expect(await connections()).toBe(0);
    });
    const before = looks(tenant);
    expect(before).toBeGreaterThan(0);
    // A follower who stays looks again, later than the other one would have.
    const staying = follow(otherOperation, { token: other.token });
    await staying.next();
    const seen = looks(other);
    await expect.poll(() => looks(other)).toBeGreaterThan(seen + 1);
    expect(looks(tenant)).toBe(before);
    await progress("state = 'done'");
    for await (const _line of staying);
  });
});

interface Told {
  kind: string;
  done?: number;
  total?: number;
  unit?: string;
  text?: string;
}
