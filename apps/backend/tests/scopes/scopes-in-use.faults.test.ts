import { randomUUID } from "node:crypto";
import { loadCatalog } from "@svc/command-router/catalog";
import type { UploadAnswer } from "@svc/protocol/exchange";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { threeModels } from "../../testing/embedders/word-embedder.ts";
import { RandomWriter } from "../../testing/random-writes/random-writer.ts";
import { type WriteLine, writeLines } from "../../testing/random-writes/write-lines.ts";
import { type CliReply, TestBackend } from "../../testing/test-backend.ts";
import { ScopedWorld } from "./scoped-world.ts";

/**
 * A narrow credential cannot finish what a full one of the same person has begun: a preview token, the answer behind an
 * idempotency key, an operation to undo, an upload that waits for its continuation, a download address.
 */
const catalog = await loadCatalog<CommandContext>(featuresFolder);
const allScopes = [...new Set(catalog.commands.flatMap(({ scopes }) => scopes))];
const seed = runSeed();
const enough = faultSize(3_000, 120);
/** Only people decide, and this administrator is a service account. */
const paths = Object.keys(writeLines).filter((path) => !path.startsWith("approvals "));

let backend: TestBackend;
let writer: RandomWriter;
let world: ScopedWorld;

beforeAll(async () => {
  backend = await TestBackend.start({ embedders: threeModels() });
  writer = await RandomWriter.settle(backend, seed);
  world = await ScopedWorld.build(backend, writer.tenant);
});
afterAll(async () => {
  await world.close();
  await backend.close();
});

test("nothing that was begun with a scope continues without it", async () => {
  const tried: Record<string, number> = {};
  const waiting = new Set(paths);
  for (let run = 0; run < enough && waiting.size > 0; run += 1) {
    // Half of the lines create things that the others use.
    const path = writer.dice.pick(run % 2 === 0 ? [...waiting] : paths) as string;
    if (/ (delete|purge|revoke|remove)$/.test(path) && writer.dice.throw() < 0.6) continue;
    if (!waiting.has(path)) await commit(path, writer.line(path));
    else if (await takesPart(path, tried)) waiting.delete(path);
  }
  // In a sample some never succeed; at full size none.
  if (process.env.SVC_FAULTS === "full")
    expect([...waiting], `never succeeded, SVC_SEED=${seed}`).toEqual([]);
  expect(Object.keys(tried).sort()).toEqual([
    "continuation",
    "idempotent replay",
    "preview token",
    "undo",
    "upload",
  ]);
  process.stdout.write(`scopes in use: ${JSON.stringify(tried)}, 0 passes, SVC_SEED=${seed}\n`);
});

test("a download begun with a scope cannot be fetched without it", async () => {
  const lines: Record<string, string[]> = {
    "files get": ["files", "get", "/kept.txt", "--workspace", "kept"],
  };
  const downloading = catalog.commands.filter(({ presentation }) => presentation.as === "file");
  expect(Object.keys(lines).sort()).toEqual(downloading.map(({ path }) => path).sort());

  const { token } = writer.tenant;
  await backend.run(token, "workspaces create Kept");
  await backend.send(token, ["files", "put", "./kept.txt", "/", "--workspace", "kept"], "kept");
  for (const { path, scopes } of downloading) {
    const { href } = (await backend.type(token, lines[path] ?? [])).body as unknown as { href: string };
    const get = async (scoped: string) =>
      (await backend.server.inject({ url: href, headers: { authorization: `Bearer ${scoped}` } })).statusCode;
    expect(await get(token), path).toBe(200);
    expect([403, 404], path).toContain(await get(await without(scopes)));
  }
});

/** Whether the line succeeded, so that every way could be tried. */
async function takesPart(path: string, tried: Record<string, number>): Promise<boolean> {
  const scopes = catalog.find(path)?.scopes ?? [];
  const line = writer.line(path);
  const narrow = await without(scopes);
  const key = randomUUID();
  const refuse = async (way: string, call: () => Promise<CliReply | number>) => {
    const before = await world.state();
    const reply = await call();
    const status = typeof reply === "number" ? reply : reply.status;
    expect([403, 404], `${way}: ${line.argv.join(" ")} SVC_SEED=${seed}`).toContain(status);
    if (typeof reply !== "number") expect(reply.body.detail).toMatch(/lacks the scope|does not exist/);
    expect(await world.state(), `${way}: ${line.argv.join(" ")} SVC_SEED=${seed}`).toEqual(before);
    tried[way] = (tried[way] ?? 0) + 1;
  };

  if (line.content !== undefined) await refuseUpload(line, narrow, refuse);
  const preview = await writer.type(line, "--dry-run");
  if (preview.status !== 200) return false;
  const token = preview.body.preview?.token ?? "";
  await refuse("preview token", () => backend.type(narrow, [...line.argv, "--confirm", token]));

  const done = await commit(path, line, key);
  if (done.status !== 200) return false;
  const confirmed = [...line.argv, "--confirm", "true"];
  await refuse("idempotent replay", () =>
    backend.type(narrow, confirmed, { headers: { "idempotency-key": key } }),
  );

  const { operation } = done.body;
  if (operation === undefined || scopes.includes("operations:write")) return true;
  const undo = ["operations", "undo", operation];
  const undoPreview = await backend.type(writer.tenant.token, [...undo, "--dry-run"]);
  for (const more of [[], ["--dry-run"], ["--confirm", "true"]]) {
    await refuse("undo", () => backend.type(narrow, [...undo, ...more]));
  }
  // A preview serves only the credential that got it.
  const before = await world.state();
  const stolen = await backend.type(narrow, [...undo, "--confirm", undoPreview.body.preview?.token ?? ""]);
  expect(stolen.body.code).toBe("confirmation_required");
  expect(await world.state()).toEqual(before);
  return true;
}

type Refuse = (way: string, call: () => Promise<CliReply | number>) => Promise<void>;

async function refuseUpload(
  { argv, content = "" }: WriteLine,
  narrow: string,
  refuse: Refuse,
): Promise<void> {
  const asked = await backend.type(writer.tenant.token, argv);
  const { uploads, continuation } = asked.body as unknown as UploadAnswer;
  if (!uploads?.[0]) return;
  const { href, path } = uploads[0];
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await refuse("upload", async () => (await patch(narrow, href, text)).statusCode);
  const contents = [{ path, base64: Buffer.from(text).toString("base64") }];
  await refuse("continuation", () => backend.type(narrow, argv, { request: { continuation, contents } }));
}

function patch(token: string, url: string, payload: string) {
  const type = "application/offset+octet-stream";
  const headers = { authorization: `Bearer ${token}`, "content-type": type, "upload-offset": "0" };
  return backend.server.inject({ method: "PATCH", url, headers, payload });
}

async function commit(path: string, line: WriteLine, key = randomUUID()): Promise<CliReply> {
  const reply = await commitOnce(line, key);
  if (reply.status === 200) writer.things.learn(path, line.argv, reply.body.data, reply.body.operation);
  else if (reply.body.code === "not_found") writer.things.forget(line.argv);
  return reply;
}

async function commitOnce({ argv, content }: WriteLine, key: string): Promise<CliReply> {
  const words = [...argv, "--confirm", "true"];
  const { token } = writer.tenant;
  const headers = { "idempotency-key": key };
  if (content === undefined) return backend.type(token, words, { headers });
  if (typeof content !== "string") return backend.sendFolder(token, words, content, {}, headers);
  const asked = await backend.type(token, words);
  const { uploads, continuation } = asked.body as unknown as UploadAnswer;
  if (!uploads?.[0]) return asked;
  const contents = [{ path: uploads[0].path, base64: Buffer.from(content).toString("base64") }];
  return backend.type(token, words, { headers, request: { continuation, contents } });
}

/** All scopes but these. */
function without(scopes: readonly string[]): Promise<string> {
  return world.token(allScopes.filter((scope) => !scopes.includes(scope)));
}
