import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fixture, fixtureCatalog } from "../testing/fixture-catalog.ts";
import { Catalog, loadCatalog } from "./catalog.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-catalog-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, text = commandFile()): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

function commandFile(argument = "z.string()"): string {
  return `
    import { z } from "${import.meta.resolve("zod")}";
    import { commandDefiner } from "${import.meta.resolve("./command.ts")}";
    export default commandDefiner<object>()({
      summary: "Do it", category: "Things", effect: "write", scopes: [],
      arguments: z.strictObject({ it: ${argument} }), positionals: ["it"],
      result: z.object({}), presentation: { as: "text", text: () => "Done" },
      examples: [], failures: [], run: async () => ({}),
    });`;
}

test("the path of a file is the name of its command", async () => {
  await write("files/commands/move.ts");
  await write("files/commands/empty-trash.ts");
  await write("whoami/commands/whoami.ts");
  const catalog = await loadCatalog(folder);
  expect(catalog.commands.map(({ path }) => path)).toEqual(["files empty-trash", "files move", "whoami"]);
  expect(catalog.groups).toEqual(["files", "whoami"]);
  expect(catalog.find("files move")).toMatchObject({ group: "files", name: "move", effect: "write" });
  expect(catalog.find("whoami")).toMatchObject({ group: "whoami", name: "whoami" });
  expect(catalog.find("whoami whoami")).toBeUndefined();
});

test("leaves out tests, stores, jobs and folders without commands", async () => {
  await write("files/commands/move.ts");
  await write("files/commands/move.test.ts", "throw new Error('loaded')");
  await write("files/commands/README.md", "no module");
  await write("files/files-store.ts", "throw new Error('loaded')");
  await write("files/jobs/sweep.ts", "throw new Error('loaded')");
  await write("notes/notes.ts", "throw new Error('loaded')");
  await write("stray.ts", "throw new Error('loaded')");
  expect((await loadCatalog(folder)).commands.map(({ path }) => path)).toEqual(["files move"]);
});

test.each([
  ["without a command", "export default { summary: 'no run' };", "does not export a definition by default"],
  ["without a default export", "export const move = 1;", "does not export a definition by default"],
  ["that throws", "throw new Error('broken');", "cannot be loaded"],
  ["that does not parse", "export default {", "cannot be loaded"],
])("names a module %s", async (_, text, message) => {
  await write("files/commands/move.ts", text);
  await expect(loadCatalog(folder)).rejects.toThrow(`${join(folder, "files/commands/move.ts")} ${message}`);
});

test("names the command whose arguments a command line cannot express", async () => {
  await write("files/commands/move.ts", commandFile("z.object({ deep: z.string() })"));
  await expect(loadCatalog(folder)).rejects.toThrow("command files move: argument it: a command line cannot");
});

test.each([
  ["help", "files"],
  ["files", "help"],
])("no command is called help: %s %s", (group, name) => {
  expect(() => new Catalog([{ group, name, definition: fixture("whoami") }])).toThrow(
    "`help` is reserved: every group answers to it",
  );
});

test("finds nothing by the names that every object has", () => {
  for (const path of ["__proto__", "constructor", "toString", ""]) {
    expect(fixtureCatalog.find(path)).toBeUndefined();
    expect(fixtureCatalog.inGroup(path)).toEqual([]);
  }
});
