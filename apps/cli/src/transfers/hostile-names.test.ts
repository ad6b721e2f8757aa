import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { TestBackend } from "../../../backend/testing/test-backend.ts";
import { hostileNames } from "../../testing/hostile-names.ts";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { runSvc } from "../run-svc.ts";

let backend: TestBackend;
let environment: Record<string, string>;
let folder: string;
let box: string;

beforeAll(async () => {
  backend = await TestBackend.start();
  const address = await backend.server.listen({ host: "127.0.0.1", port: 0 });
  const { token } = await backend.addTenant();
  environment = { SVC_BASE_URL: address, SVC_SA_TOKEN: token };
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-names-"));
  environment.HOME = folder;
  box = join(folder, "box");
  await mkdir(box);
  return () => rm(folder, { recursive: true });
});
afterAll(() => backend?.close());

async function svc(...typed: string[]) {
  const terminal = new TestTerminal();
  const exitCode = await runSvc({ typed, environment, terminal, signal: new AbortController().signal });
  return { exitCode, out: terminal.printed.toString(), error: terminal.remarks };
}

const put = (workspace: string) =>
  svc("files", "put", `file:${box}`, "/names", "--workspace", workspace, "--format", "json");

/** The names that the server refuses, each with its reason. */
function refused(error: string): { name: string; reason: string }[] {
  const report = JSON.parse(error).error as { detail: string; violations?: { message: string }[] };
  const messages = report.violations?.map(({ message }) => message) ?? [report.detail];
  return messages.map((message) => {
    const end = message.startsWith("`") ? message.lastIndexOf("`") : message.indexOf(" was sent twice");
    return {
      name: message.slice(message.startsWith("`") ? 1 : 0, end),
      reason: message.slice(end + 1).trim(),
    };
  });
}

test("500 hostile names come back as they were, or are refused by name; none becomes a folder", {
  tags: ["long"],
}, async () => {
  await svc("workspaces", "create", "Names");
  const names = hostileNames(500);
  for (const name of names) await writeFile(join(box, name), `content of ${JSON.stringify(name)}`);
  expect((await readdir(box)).sort()).toEqual(names.toSorted());
  const stays = new Set(names);

  const bad = await put("names");
  expect(bad.exitCode).toBe(20);
  for (const { name, reason } of refused(bad.error)) {
    expect([stays.delete(name), name, reason]).toEqual([
      true,
      name,
      expect.stringMatching(/^(is|con|has|beg)/),
    ]);
    await rm(join(box, name));
  }
  expect(names.filter((name) => /[\\\n\u202e\u007f]|[. ]$/.test(name) && stays.has(name))).toEqual([]);

  // A Linux folder holds both spellings of é, the service one of them: it says which, and takes neither.
  const pairs = await put("names");
  expect(pairs.exitCode).toBe(22);
  const twice = refused(pairs.error);
  expect(twice.length).toBeGreaterThan(5);
  for (const { name, reason } of twice) {
    expect(reason).toBe("was sent twice, under names that look the same.");
    const both = [...stays].filter((other) => other.normalize("NFC") === name);
    expect(both).toHaveLength(2);
    const [spare = ""] = both.filter((other) => other !== name);
    stays.delete(spare);
    await rm(join(box, spare));
  }

  expect(await put("names")).toMatchObject({ exitCode: 0 });
  const back = join(folder, "back");
  expect(await svc("files", "get", "/names", "--output", back, "--workspace", "names")).toMatchObject({
    exitCode: 0,
    error: "",
  });
  const entries = await readdir(back, { withFileTypes: true });
  expect(entries.filter((entry) => !entry.isFile())).toEqual([]);
  // A spelling that comes alone is stored, and comes back, in its composed form: the same name, by Unicode.
  const expected = new Map([...stays].map((name) => [name.normalize("NFC"), name]));
  expect(entries.map(({ name }) => name).sort()).toEqual([...expected.keys()].sort());
  for (const [name, sent] of expected) {
    expect(await readFile(join(back, name), "utf8")).toBe(`content of ${JSON.stringify(sent)}`);
  }
  expect(stays.size).toBeGreaterThan(200);
  expect(names.length - stays.size).toBeGreaterThan(100);
});

test("a name that is not UTF-8 is refused by name, and nothing is sent", async () => {
  await svc("workspaces", "create", "Bytes");
  const name = Buffer.concat([Buffer.from(`${box}/latin-`), Buffer.from([0xe9]), Buffer.from(".txt")]);
  await writeFile(name, "x");
  const { exitCode, error } = await put("bytes");
  expect(error).toMatch(/latin-\ufffd\.txt` has a name that is not UTF-8; nothing was sent\./);
  expect(exitCode).toBe(20);
  expect((await svc("files", "list", "/", "--workspace", "bytes", "--format", "json")).out).toContain(
    '"items": []',
  );
});
