import { createHash, randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { UploadAnswer } from "@svc/protocol/exchange";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startFixtureBackend } from "../../../testing/fixture-backend.ts";
import { HttpCaller } from "../../../testing/processes/http-caller.ts";
import type { TestBackend, TestTenant } from "../../../testing/test-backend.ts";
import { findBlob } from "../../platform/blobs/blobs.ts";

let backend: TestBackend;
let address: string;
let tenant: TestTenant;
let caller: HttpCaller;

beforeAll(async () => {
  backend = await startFixtureBackend();
  address = await backend.server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => backend.close());
beforeEach(async () => {
  tenant = await backend.addTenant();
  caller = new HttpCaller(address, tenant.token);
});

const argv = ["notes", "attach", "./report.pdf"];
const content = "the report";
const sha256 = createHash("sha256").update(content).digest("hex");

/** The object in the store under the key of the row. */
async function keptSize(digest: string): Promise<number> {
  const scope = { tenantId: tenant.id, actorId: tenant.id };
  const { key } = await backend.database.withTenant(scope, "read", (transaction) =>
    findBlob(transaction, digest),
  );
  return (await buffer(await backend.blobStore.read(key))).length;
}

async function noteTexts(): Promise<string[]> {
  const { items } = await backend.run<{ items: { text: string }[] }>(tenant.token, "notes list");
  return items.map(({ text }) => text);
}

test("answers a line with a local file with where to send it, under the path as typed", async () => {
  const { status, body } = await caller.post({ argv });
  expect(status).toBe(200);
  const answer = UploadAnswer.strict().parse(body);
  expect(answer.uploads).toMatchObject([{ argument: "source", path: "./report.pdf", maxBytes: 100e9 }]);
  expect(answer.uploads[0]?.href).toMatch(/^\/api\/v1\/uploads\/[\w.-]+$/);
  expect(await noteTexts()).toEqual([]);
});

test("after the upload, the repeated line stores the content by its digest", async () => {
  const { status, body } = await caller.send(argv, content);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    committed: true,
    data: { name: "./report.pdf", size: 10, sha256 },
  });
  expect(await keptSize(sha256)).toBe(10);
});

test("a small file can come with the line itself, but only if requested", async () => {
  const { continuation } = await caller.askToSend(argv);
  const contents = [{ path: "./report.pdf", base64: Buffer.from(content).toString("base64") }];
  const { body } = await caller.post({ argv, continuation, contents });
  expect(body).toMatchObject({ committed: true, data: { size: 10, sha256 } });
  expect(await keptSize(sha256)).toBe(10);
  const again = await caller.askToSend(argv);
  const other = [{ path: "./other.pdf", base64: "" }];
  expect(await caller.post({ argv, continuation: again.continuation, contents: other })).toMatchObject({
    body: { kind: "upload" },
  });
  const large = [{ path: "./report.pdf", base64: Buffer.alloc(70_000).toString("base64") }];
  expect((await caller.post({ argv, continuation, contents: large })).status).toBe(400);
});

test("an empty file is a file", async () => {
  const { body } = await caller.send(argv, "");
  expect(body).toMatchObject({ committed: true, data: { size: 0 } });
  const empty = createHash("sha256").digest("hex");
  expect(await keptSize(empty)).toBe(0);
});

test("asks again for a file that was never sent, instead of taking it for an empty one", async () => {
  const { continuation } = await caller.askToSend(argv);
  const { status, body } = await caller.post({ argv, continuation });
  expect([status, body.kind]).toEqual([200, "upload"]);
  expect(body.uploads).toMatchObject([{ path: "./report.pdf", wants: "file" }]);
  expect(await noteTexts()).toEqual([]);
});

test("reports wrong arguments before anything is sent", async () => {
  const { body } = await caller.post({ argv: [...argv, "--name", "x".repeat(1_001)] });
  expect(body.code).toBe("invalid_arguments");
});

describe("a continuation", () => {
  async function sent(): Promise<string> {
    const { href, continuation } = await caller.askToSend(argv);
    await caller.patch(href, 0, content);
    return continuation;
  }

  test.each([
    { what: "another file", request: { argv: ["notes", "attach", "./other.pdf"] } },
    { what: "one more argument", request: { argv: [...argv, "--name", "x"] } },
    { what: "another order", request: { argv: ["notes", "attach", "--", "./report.pdf"] } },
    { what: "another command", request: { argv: ["notes", "add", "hello"] } },
    { what: "another workspace", request: { argv, workspace: "elsewhere" } },
  ])("is not valid for $what", async ({ request }) => {
    const { body } = await caller.post({ ...request, continuation: await sent() });
    expect(body).toMatchObject({ code: "invalid_request", exitCode: 20 });
    expect(await noteTexts()).toEqual([]);
  });

  test("is not valid for anybody else, for another purpose, or changed", async () => {
    const continuation = await sent();
    const other = new HttpCaller(address, (await tenant.addPerson("Rin")).token);
    expect((await other.post({ argv, continuation })).body.code).toBe("not_found");
    const elsewhere = new HttpCaller(address, (await backend.addTenant()).token);
    expect((await elsewhere.post({ argv, continuation })).body.code).toBe("not_found");
    const { href } = await caller.askToSend(argv);
    const ticket = href.split("/").at(-1) ?? "";
    expect((await caller.post({ argv, continuation: ticket })).body.code).toBe("not_found");
    expect((await caller.post({ argv, continuation: `${continuation}x` })).body.code).toBe("not_found");
    expect((await caller.fetch(`/api/v1/uploads/${continuation}`, { method: "HEAD" })).status).toBe(404);
    expect(await noteTexts()).toEqual([]);
  });

  test("can be repeated with the same idempotency key, and adds once", async () => {
    const continuation = await sent();
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await caller.post({ argv, continuation }, key);
    const again = await caller.post({ argv, continuation }, key);
    expect(again.body).toEqual(first.body);
    expect(await noteTexts()).toEqual(["./report.pdf"]);
  });
});

test("a call that got no connection in time can be retried with the file that was sent", async () => {
  const { href, continuation } = await caller.askToSend(argv);
  expect((await caller.patch(href, 0, content)).status).toBe(204);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = Array.from({ length: 2 }, () =>
    backend.database.withTenant({ tenantId: tenant.id, actorId: randomUUID() }, "read", () => released),
  );
  expect(await caller.post({ argv, continuation })).toMatchObject({
    status: 503,
    body: { code: "unavailable", detail: "Too many requests are waiting for a database connection." },
  });
  release();
  await Promise.all(holding);
  expect(await caller.post({ argv, continuation })).toMatchObject({ status: 200, body: { committed: true } });
});

test("a preview with a file shows what would be stored, and stores nothing", async () => {
  const { body } = await caller.send([...argv, "--dry-run"], content);
  expect(body).toMatchObject({ committed: false, preview: { changes: [{ after: { size: 10, sha256 } }] } });
  expect(await noteTexts()).toEqual([]);
  await expect(keptSize(sha256)).rejects.toMatchObject({ code: "not_found" });
});
