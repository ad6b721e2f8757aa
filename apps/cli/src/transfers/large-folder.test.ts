import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultSize } from "@svc/testing/fault-size";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBackend } from "../../../backend/testing/test-backend.ts";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { runSvc } from "../run-svc.ts";

const counts = { small: faultSize(2_000, 500), tiny: faultSize(1_000, 250) };
let backend: TestBackend;
let folder: string;
let environment: Record<string, string>;
/** Requests since the last look. */
let requests = 0;

beforeAll(async () => {
  // The limits of a real server, or of one as much smaller as the folder: there are more files than requests.
  backend = await TestBackend.start({
    rate: { perCredential: faultSize(1_200, 300), perAddress: faultSize(3_000, 750) },
  });
  const address = await backend.server.listen({ host: "127.0.0.1", port: 0 });
  backend.server.server.on("request", () => {
    requests += 1;
  });
  folder = await mkdtemp(join(tmpdir(), "svc-large-folder-"));
  const { token } = await backend.addTenant();
  environment = { HOME: folder, SVC_BASE_URL: address, SVC_SA_TOKEN: token };
  await svc("workspaces", "create", "Home");
  for (const [name, count] of Object.entries(counts)) await fill(join(folder, "box", name), count);
  await svc("files", "put", `file:${join(folder, "box")}`, "/", "--workspace", "home");
});
afterAll(async () => {
  await backend?.close();
  await rm(folder, { recursive: true, force: true });
});

async function svc(...typed: string[]): Promise<number> {
  requests = 0;
  const terminal = new TestTerminal();
  const exitCode = await runSvc({ typed, environment, terminal, signal: new AbortController().signal });
  expect({ typed, exitCode, error: exitCode === 0 ? "" : terminal.remarks }).toEqual({
    typed,
    exitCode: 0,
    error: "",
  });
  return requests;
}

/** Each with its own content; the small ones have 4 kB. */
async function fill(path: string, count: number): Promise<void> {
  await mkdir(path, { recursive: true });
  const bytes = path.endsWith("small") ? 4_096 : 10;
  for (let index = 0; index < count; index += 1) {
    await writeFile(join(path, `${index}.txt`), `${index} `.repeat(bytes).slice(0, bytes));
  }
}

async function contentsOf(path: string): Promise<Map<string, string>> {
  const names = (await readdir(path, { recursive: true })).filter((name) => name.endsWith(".txt")).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(path, name), "utf8")] as const)),
  );
}

test("files of 4 kB, 2,000 at night, come in at most 20 requests", { tags: ["long"] }, async () => {
  const target = join(folder, "small");
  expect(
    await svc("files", "get", "/box/small", "--output", target, "--workspace", "home"),
  ).toBeLessThanOrEqual(20);
  expect(await contentsOf(target)).toEqual(await contentsOf(join(folder, "box", "small")));
});

test("all files come in spite of the rate limit, and leave room for other commands", {
  tags: ["long"],
}, async () => {
  const target = join(folder, "whole");
  await svc("files", "get", "/box", "--output", target, "--workspace", "home");
  expect(await contentsOf(target)).toEqual(await contentsOf(join(folder, "box")));
  expect(await svc("files", "list", "/box", "--workspace", "home")).toBe(1);
});
