import { createHash, randomUUID } from "node:crypto";
import { Database } from "@svc/database/database";
import { encodeId } from "@svc/protocol/typed-id";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TestBackend, type TestTenant } from "../../../testing/test-backend.ts";
import { issuePreviewToken, takePreviewToken } from "./preview-token.ts";

let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  backend = await TestBackend.start();
  tenant = await backend.addTenant();
});
afterAll(() => backend.close());

describe("an AI member", () => {
  let agent: { id: string; token: string };
  let workspace: string;
  let workspaceId: string;

  beforeEach(async () => {
    agent = await tenant.addPerson(`Agent-${randomUUID()}`, { kind: "ai" });
    workspace = `plan-${randomUUID()}`;
    const created = await backend.run<{ id: string }>(tenant.token, ["workspaces", "create", workspace]);
    workspaceId = created.id;
    await makeOwner(agent);
  });

  async function makeOwner({ id }: { id: string }): Promise<void> {
    const person = encodeId("ai", id);
    await backend.run(tenant.token, `members add ${person} --role owner --workspace ${workspace}`);
  }

  async function preview(line: string): Promise<string> {
    const { body } = await backend.type(agent.token, line);
    expect(body).toMatchObject({ committed: false, preview: { token: expect.any(String) } });
    return body.preview?.token ?? "";
  }

  async function names(): Promise<string[]> {
    const { items } = await backend.run<{ items: { name: string }[] }>(agent.token, "workspaces list");
    return items.map(({ name }) => name);
  }

  test("commits what its preview showed, once", async () => {
    const line = `workspaces rename ${workspace} Renamed-${workspace}`;
    const token = await preview(line);
    expect(await names()).toEqual([workspace]);

    const committed = await backend.type(agent.token, `${line} --confirm ${token}`);
    expect([committed.status, committed.body.committed]).toEqual([200, true]);
    expect(await names()).toEqual([`Renamed-${workspace}`]);

    const again = await backend.type(agent.token, `${line} --confirm ${token}`);
    expect([again.status, again.body.operation]).toEqual([200, committed.body.operation]);
    const other = await backend.type(agent.token, `workspaces delete ${workspaceId} --confirm ${token}`);
    expect([other.status, other.body.code]).toEqual([409, "conflict"]);
    expect(await names()).toEqual([`Renamed-${workspace}`]);
  });

  test("uses a token once, even for two concurrent requests", async () => {
    const line = `workspaces rename ${workspace} Raced-${workspace}`;
    const token = await preview(line);
    const replies = await Promise.all(
      [1, 2, 3].map(() => backend.type(agent.token, `${line} --confirm ${token}`)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(replies.map(({ body }) => body.operation)).size).toBe(1);
    const { items } = await backend.run<{ items: unknown[] }>(agent.token, "operations list");
    expect(items).toHaveLength(1);
  });

  test("gets a conflict if the row has changed since the preview", async () => {
    const line = `workspaces delete ${workspaceId}`;
    const token = await preview(line);
    await backend.run(tenant.token, ["workspaces", "rename", workspace, `Moved ${workspace}`]);
    const { status, body } = await backend.type(agent.token, `${line} --confirm ${token}`);
    expect([status, body.code]).toEqual([409, "conflict"]);
    expect(await names()).toEqual([`Moved ${workspace}`]);
  });

  test("cannot use it for other arguments, or for another command", async () => {
    const token = await preview(`workspaces rename ${workspace} Harmless`);
    for (const line of [`workspaces rename ${workspace} Harmful`, `workspaces delete ${workspace}`]) {
      const { status, body } = await backend.type(agent.token, `${line} --confirm ${token}`);
      expect([line, status, body.code]).toEqual([line, 409, "conflict"]);
    }
    expect(await names()).toEqual([workspace]);
  });

  test("cannot use another member's token, and an administrator cannot use theirs", async () => {
    const other = await tenant.addPerson(`Other-${randomUUID()}`, { kind: "ai" });
    await makeOwner(other);
    const line = `workspaces rename ${workspace} Mine`;
    const token = await preview(line);
    for (const stranger of [other.token, tenant.token]) {
      const { status, body } = await backend.type(stranger, `${line} --confirm ${token}`);
      expect([status, body.code]).toEqual([409, "confirmation_required"]);
    }
    expect((await backend.type(agent.token, `${line} --confirm ${token}`)).status).toBe(200);
  });

  test("cannot invent a token, nor confirm without one", async () => {
    const line = `workspaces rename ${workspace} Invented`;
    for (const confirm of ["true", "yes", `preview_${"A".repeat(24)}`, "'or'1'='1"]) {
      const { status, body } = await backend.type(agent.token, [...line.split(" "), "--confirm", confirm]);
      expect([confirm, status, body.code]).toEqual([confirm, 409, "confirmation_required"]);
    }
    expect(await names()).toEqual([workspace]);
  });
});

describe("a token", () => {
  const now = new Date("2026-01-01T12:00:00Z");
  const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  const scope = () => ({ tenantId: tenant.id, actorId: randomUUID() });

  test("is valid for fifteen minutes", async () => {
    const mine = scope();
    const issued = await backend.database.withTenant(mine, "write", async (transaction) => [
      await issuePreviewToken({ ...transaction, now }, "what was shown", "laptop"),
      await issuePreviewToken({ ...transaction, now }, "what was shown", "laptop"),
    ]);
    const [soon = "", late = ""] = issued;
    expect(soon).not.toBe(late);
    const take = (token: string, at: Date) =>
      backend.database.withTenant(mine, "write", (transaction) =>
        takePreviewToken({ ...transaction, now: at }, token, "laptop"),
      );
    expect(await take(soon, later(14.9))).toBe("what was shown");
    expect(await take(late, later(15))).toBeUndefined();
  });

  test("stays valid if the commit that used it failed", async () => {
    const mine = scope();
    const token = await backend.database.withTenant(mine, "write", (transaction) =>
      issuePreviewToken({ ...transaction, now }, "shown", "laptop"),
    );
    for (const mode of ["rollback", "write"] as const) {
      const taken = await backend.database.withTenant(mine, mode, (transaction) =>
        takePreviewToken({ ...transaction, now }, token, "laptop"),
      );
      expect(taken).toBe("shown");
    }
  });

  test("serves only the credential that got it", async () => {
    const mine = scope();
    const token = await backend.database.withTenant(mine, "write", (transaction) =>
      issuePreviewToken({ ...transaction, now }, "shown", "laptop"),
    );
    const take = (madeWith: string) =>
      backend.database.withTenant(mine, "write", (transaction) =>
        takePreviewToken({ ...transaction, now }, token, madeWith),
      );
    for (const other of ["phone", "laptop session"]) expect(await take(other)).toBeUndefined();
    expect(await take("laptop")).toBe("shown");
  });

  test("is stored only as its SHA-256", async () => {
    const mine = scope();
    const token = await backend.database.withTenant(mine, "write", (transaction) =>
      issuePreviewToken({ ...transaction, now }, "shown", "laptop"),
    );
    const admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 1 });
    const { rows } = await admin.withDirectory((db) =>
      sql<{ token_hash: Buffer; whole: string }>`
        select token_hash, preview::text as whole from app.preview where actor_id = ${mine.actorId}`.execute(
        db,
      ),
    );
    await admin.close();
    expect(rows[0]?.token_hash).toEqual(createHash("sha256").update(token).digest());
    expect(rows[0]?.whole).not.toContain(token);
  });
});
