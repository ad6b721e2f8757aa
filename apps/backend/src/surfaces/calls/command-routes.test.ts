import { ResultAnswer } from "@svc/protocol/exchange";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";

let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  backend = await startFixtureBackend();
});
afterAll(() => backend.close());
beforeEach(async () => {
  tenant = await backend.addTenant();
});

async function call(path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await backend.server.inject({
    method: "POST",
    url: `/api/v1/commands/${path}`,
    headers: { authorization: `Bearer ${tenant.token}`, ...headers },
    ...(body ? { payload: body } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}

test("runs a command with arguments by name, and answers with data only", async () => {
  const { status, body } = await call("notes/add", { arguments: { text: "hello", tag: ["a"] } });
  expect(status).toBe(200);
  expect(ResultAnswer.strict().parse(body)).toMatchObject({
    committed: true,
    data: { text: "hello", tags: ["a"] },
  });
  expect(body).not.toHaveProperty("text");
});

test("needs no body if a command needs no arguments", async () => {
  expect(await call("notes/list")).toMatchObject({ status: 200, body: { data: { items: [] } } });
});

test("takes --dry-run, --confirm and --workspace as fields", async () => {
  const preview = await call("notes/add", { arguments: { text: "hello" }, dryRun: true });
  expect(preview.body).toMatchObject({ committed: false, preview: { changes: [{ name: "hello" }] } });
  const confirmed = await call("notes/add", {
    arguments: { text: "hello" },
    confirm: preview.body.preview.token,
  });
  expect(confirmed.body.committed).toBe(true);
  expect((await call("notes/where", { workspace: "marketing" })).body.data).toEqual({
    workspace: "marketing",
  });
});

test("a session ticket and an ambient workspace work as on the terminal", async () => {
  const inSession = { "x-cli-session-ticket": "ticket", "x-svc-ambient-workspace-id": "ambient" };
  const { body } = await call("notes/add", { arguments: { text: "hello" } }, inSession);
  expect(body.committed).toBe(false);
  expect((await call("notes/where", {}, inSession)).body.data).toMatchObject({ workspace: "ambient" });
  expect((await call("notes/where", { workspace: "named" }, inSession)).body.data).toEqual({
    workspace: "named",
    untrusted: ["/workspace"],
  });
});

test.each([
  [{ arguments: { text: 1 } }, "invalid_arguments"],
  [{ arguments: {} }, "invalid_arguments"],
  [{ arguments: { text: "a", extra: true } }, "invalid_arguments"],
  [{ arguments: { text: "a\0" } }, "invalid_arguments"],
  [{ arguments: { text: "a", tag: ["\ud800"] } }, "invalid_arguments"],
  [{ arguments: [] }, "invalid_request"],
  [{ text: "a" }, "invalid_request"],
])("refuses %j with %s, and adds nothing", async (body, code) => {
  expect((await call("notes/add", body)).body.code).toBe(code);
  expect((await call("notes/list")).body.data).toEqual({ items: [] });
});

async function callOwn(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await backend.server.inject({
    method: "POST",
    url: path,
    headers: { authorization: `Bearer ${tenant.token}`, ...headers },
    payload: body,
  });
  return { status: answer.statusCode, body: answer.json() };
}

test("dedicated addresses have their own body, answer and status", async () => {
  const added = await callOwn("/api/v1/notes", { note: "hello" });
  expect(added).toEqual({ status: 202, body: { noteId: expect.any(String) } });
  expect(await callOwn("/api/v1/notes/tagged", { note: "more", tag: "a" })).toEqual({
    status: 200,
    body: { tags: ["a"] },
  });
  expect((await call("notes/list")).body.data.items).toHaveLength(2);
});

test("dedicated addresses check bodies, preview in sessions and accept a key once", async () => {
  const wrong = await callOwn("/api/v1/notes", { text: "hello" });
  expect(wrong).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  const inSession = { "x-cli-session-ticket": "ticket" };
  const preview = await callOwn("/api/v1/notes", { note: "hello" }, inSession);
  expect(preview).toMatchObject({ status: 200, body: { committed: false, preview: { changes: [{}] } } });
  const key = { "idempotency-key": "0b06ef14-8a6c-4d3a-a6cd-3d0a1d6dfd4f" };
  const first = await callOwn("/api/v1/notes", { note: "once" }, key);
  expect(await callOwn("/api/v1/notes", { note: "once" }, key)).toEqual(first);
  expect((await call("notes/list")).body.data.items).toHaveLength(1);
});

test("does not offer commands that need a file on the caller's machine", async () => {
  expect((await call("notes/attach", { arguments: { source: "/etc/passwd" } })).status).toBe(404);
});
