import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBackend } from "../../../backend/testing/test-backend.ts";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { runSvc } from "../run-svc.ts";

let backend: TestBackend;
let folder: string;
let token: string;
let environment: Record<string, string>;

beforeAll(async () => {
  backend = await TestBackend.start();
  const address = await backend.server.listen({ host: "127.0.0.1", port: 0 });
  folder = await mkdtemp(join(tmpdir(), "svc-synced-"));
  ({ token } = await backend.addTenant());
  environment = { HOME: folder, SVC_BASE_URL: address, SVC_SA_TOKEN: token };
  await svc("workspaces", "create", "Home");
});
afterAll(async () => {
  await backend?.close();
  await rm(folder, { recursive: true, force: true });
});

async function svc(...typed: string[]): Promise<string> {
  const terminal = new TestTerminal();
  const exitCode = await runSvc({ typed, environment, terminal, signal: new AbortController().signal });
  expect({ typed, exitCode, error: exitCode === 0 ? "" : terminal.remarks }).toEqual({
    typed,
    exitCode: 0,
    error: "",
  });
  return terminal.printed.toString();
}

async function write(path: string, content: string): Promise<string> {
  const place = join(folder, path);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, content);
  return place;
}

async function paths(): Promise<string[]> {
  const { nodes } = await backend.run<{ nodes: { path: string }[] }>(token, "files tree --workspace home");
  return nodes.map(({ path }) => path).sort();
}

test("several sources of every size go in one line, and a sync leaves what stays behind", async () => {
  await write("box/a.txt", "a");
  await write("box/deep/b.txt", "b");
  const small = await write("small.txt", "small");
  const large = await write("large.txt", "x".repeat(300_000));
  const target = ["/", "--workspace", "home"];
  const printed = await svc("files", "put", join(folder, "box"), small, large, ...target);
  expect(printed).toMatch(/^Put \/box \(2 files\)\nPut \/small\.txt .*\nPut \/large\.txt .*\nUndo: /);
  expect(await paths()).toEqual([
    "/box",
    "/box/a.txt",
    "/box/deep",
    "/box/deep/b.txt",
    "/large.txt",
    "/small.txt",
  ]);

  await write("box/.env", "hidden");
  await svc("files", "put", `file:${join(folder, "box")}`, "/box", "--workspace", "home");
  await rm(join(folder, "box/deep"), { recursive: true });
  await rm(join(folder, "box/a.txt"));
  await symlink(large, join(folder, "box/a.txt"));
  const sync = ["files", "sync", join(folder, "box"), "/box", "--workspace", "home", "--delete"];
  const plan = await svc(...sync, "--dry-run");
  expect(plan.split("\n")[0]).toBe("Sync /box (2 deleted)");
  expect(await svc(...sync)).toMatch(/^Synced \/box \(2 deleted\)\nUndo: /);
  expect(await paths()).toEqual(["/box", "/box/.env", "/box/a.txt", "/large.txt", "/small.txt"]);
});
