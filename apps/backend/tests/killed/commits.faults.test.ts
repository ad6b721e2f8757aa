import { randomBytes, randomUUID } from "node:crypto";
import { type CliRequest, ndjsonMediaType } from "@svc/protocol/exchange";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addAdministrator } from "../../testing/administrator.ts";
import { ApiProcess } from "../../testing/processes/api-process.ts";
import { HttpCaller } from "../../testing/processes/http-caller.ts";
import { stagedFiles } from "../../testing/staged-files.ts";

/** More than is stored at once, so that there is a middle. */
const count = 600;
const files = Object.fromEntries(
  Array.from({ length: count }, (_, index) => [`${index % 20}/${index}.txt`, text()]),
);

let database: TestDatabase;
/** Two processes that share a folder. */
let first: ApiProcess;
let second: ApiProcess;
let token: string;
let target: string;
let argv: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  first = await ApiProcess.prepare(database.appUrl);
  second = await ApiProcess.prepare(database.appUrl, { folder: first.folder });
  await Promise.all([first.start(), second.start()]);
  token = await addAdministrator(database.adminUrl);
  await new HttpCaller(first.address, token).post({ argv: ["workspaces", "create", "Home"] });
});
afterAll(async () => {
  await first?.close();
  await second?.close();
  await database?.drop();
});
beforeEach(async () => {
  if (!first.isRunning) await first.start();
  target = `/${randomUUID()}`;
  argv = ["files", "put", "./tree", target, "--workspace", "home"];
});

function text(): string {
  return Array.from({ length: 20 }, () => randomBytes(6).toString("base64url")).join(" ");
}

/** Sends the tree, then disconnects as soon as the server shows that it reads or stores it. */
async function cutWhileStoring(api: ApiProcess, who = token): Promise<{ request: CliRequest; key: string }> {
  const caller = new HttpCaller(api.address, who);
  const key = randomUUID();
  let last: CliRequest | undefined;
  const { body } = await caller.sendFolder(argv, files, async (request) => {
    const answer = await caller.fetch("/api/v1/cli", {
      method: "POST",
      headers: { "content-type": "application/json", accept: ndjsonMediaType, "idempotency-key": key },
      body: JSON.stringify({ want: "data", resume: "0".repeat(64), ...request, argv }),
    });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      text += done ? "\n" : Buffer.from(value).toString();
      const [said] = text.split("\n").filter((line, index, all) => line !== "" && index < all.length - 1);
      if (said === undefined) continue;
      const first = JSON.parse(said);
      if (first.kind !== "progress") return { status: 200, body: first };
      last = { argv, ...request };
      await reader.cancel();
      return { status: 0, body: {} as never };
    }
  });
  expect(body).toEqual({});
  return { request: last as CliRequest, key };
}

async function stored(api = second): Promise<number> {
  const { body } = await new HttpCaller(api.address, token).post({
    argv: ["files", "du", target, "--depth", "0", "--workspace", "home"],
  });
  const { items = [] } = (body.data ?? {}) as { items?: { files: number }[] };
  return items[0]?.files ?? 0;
}

/** Another process waits until the lease of the first one has ended. */
async function untilStored(): Promise<void> {
  await expect.poll(() => stored(), { timeout: 600_000, interval: 500 }).toBe(count);
}

/** How often something was put. */
async function puts(): Promise<number> {
  const { body } = await new HttpCaller(second.address, token).post({
    argv: ["operations", "list", "-n", "200"],
  });
  const { items } = body.data as { items: { command: string }[] };
  return items.filter(({ command }) => command === "files put").length;
}

function repeat(request: CliRequest, key: string) {
  return new HttpCaller(second.address, token).post(
    { resume: "0".repeat(64), ...request },
    { "idempotency-key": key },
  );
}

test("what was sent is stored although its caller is gone, and repeating the call returns its answer", async () => {
  const { request, key } = await cutWhileStoring(first);
  await untilStored();
  const { status, body } = await repeat(request, key);
  expect(status).toBe(200);
  expect(body).toMatchObject({ committed: true, data: { files: count, path: target } });
  expect(await stored()).toBe(count);
  expect(await stagedFiles(first.folder)).toEqual({ files: 0, bytes: 0 });
});

test("the same line, by another process, waits for it and finds nothing to send", async () => {
  const before = await puts();
  await cutWhileStoring(first);
  const { body } = await new HttpCaller(second.address, token).sendFolder(argv, files, (request) =>
    repeat({ argv, ...request }, randomUUID()),
  );
  expect(body).toMatchObject({ data: { files: 0, unchanged: count } });
  expect(await puts()).toBe(before + 1);
  expect(await stored()).toBe(count);
});

test("another process stores it if the first one dies, once", async () => {
  const before = await puts();
  const { request, key } = await cutWhileStoring(first);
  await first.end("SIGKILL");
  await untilStored();
  const { body } = await repeat(request, key);
  expect(body).toMatchObject({ committed: true, data: { files: count, path: target } });
  expect(await stagedFiles(second.folder)).toEqual({ files: 0, bytes: 0 });
  expect(await puts()).toBe(before + 1);
});

test("nobody stores it for a token that was revoked meanwhile", async () => {
  const owner = new HttpCaller(second.address, token);
  const made = await owner.post({ argv: ["tokens", "create", `t-${randomUUID()}`] });
  const { token: other, name } = made.body.data as { token: string; name: string };
  await owner.post({ argv: ["members", "add", name, "--role", "editor", "--workspace", "home"] });
  await cutWhileStoring(first, other);
  await first.end("SIGKILL");
  const revoked = await owner.post({ argv: ["tokens", "revoke", name] });
  expect(revoked.body).toMatchObject({ committed: true });
  await expect
    .poll(async () => (await stagedFiles(second.folder)).files, { timeout: 600_000, interval: 500 })
    .toBe(0);
  expect(await stored()).toBe(0);
});
