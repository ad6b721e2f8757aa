import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import { Catalog, loadCatalog } from "@svc/command-router/catalog";
import { offenders } from "@svc/testing/offenders";
import { expect } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { test } from "../../testing/files-test.ts";
import { typedWords } from "../../testing/typed-words.ts";

const catalog = await loadCatalog<CommandContext>(featuresFolder);

/** `help: …`, or the command and the words that it takes. */
function meaning(line: string): string {
  const parsed = parseArgv(catalog, typedWords(line));
  if (parsed.kind === "help") {
    const { commands } = parsed;
    const [first] = commands;
    return `help: ${commands.length === 1 ? first?.path : commands.length < catalog.commands.length ? `all of ${first?.group}` : "all"}`;
  }
  return [parsed.command.path, ...Object.values(parsed.arguments).flat().map(String)].join(" | ");
}

test.for([
  ["ls", "files list"],
  ["ls /reports", "files list | /reports"],
  ["tree", "files tree"],
  ["cat /a.txt", "files cat | /a.txt"],
  ["get /a.txt", "files get | /a.txt"],
  ["put ./a.txt /b", "files put | ./a.txt | /b"],
  ["cp /a /b", "files copy | /a | /b"],
  ["mv /a /b", "files move | /a | /b"],
  ["rm x", "files delete | x"],
  ["rm help", "files delete | help"],
  ["mkdir /a", "files mkdir | /a"],
  ["find /", "files find | /"],
  ["du", "files du"],
  ["undo", "operations undo"],
  ["undo 7k2q", "operations undo | 7k2q"],
  ["search tea", "search query | tea"],
  ["search evaluate", "search query | evaluate"],
  ["search job", "search query | job"],
  ["search status", "search status"],
  ["files mkdir help", "files mkdir | help"],
  ["files help", "help: all of files"],
  ["help files", "help: all of files"],
  ["help", "help: all"],
  ["help files list", "help: files list"],
  ["help ls", "help: files list"],
  ["ls --help", "help: files list"],
  ["ls help", "help: files list"],
  ["undo help", "help: operations undo"],
  ["search help", "help: all of search"],
])("`%s` means %s", ([line = "", expected]) => {
  expect(meaning(line)).toBe(expected);
});

test("these and no other words stand for commands", () => {
  const words = "ls tree cat get put cp mv rm mkdir find du undo".split(" ");
  expect(catalog.aliases.toSorted()).toEqual(words.toSorted());
  expect(catalog.commands.flatMap(({ path, isDefault }) => (isDefault ? [path] : []))).toEqual([
    "search query",
  ]);
});

const examples = catalog.commands.flatMap(({ path, group, aliases = [], isDefault, examples: given }) =>
  [...aliases, ...(isDefault ? [group] : [])].flatMap((word) =>
    given
      .filter(({ command }) => command.startsWith(`${path} `))
      .map(({ command: whole }) => {
        const short = word + whole.slice(path.length);
        return [short, { short, whole }] as const;
      }),
  ),
);

test("every example of a command means the same with an alias", async () => {
  // Where its words are in the line is another matter.
  const called = (line: string) => ({ ...parseArgv(catalog, typedWords(line)), words: undefined });
  const found = await offenders(examples, ({ short, whole }) => expect(called(short)).toEqual(called(whole)));
  expect(found).toEqual([]);
});

test("every alias has an example that was tried", () => {
  const tried = new Set(examples.map(([short]) => short.split(" ")[0]));
  expect(catalog.aliases.filter((alias) => !tried.has(alias))).toEqual([]);
});

test.for(["trash", "ls", "help", "login"])("the alias `%s`, planted in the catalog, is refused", (alias) => {
  const planted = catalog.commands.map(({ path, group, name, ...definition }) => ({
    group,
    name,
    definition: path === "workspaces list" ? { ...definition, aliases: [alias] } : definition,
  }));
  expect(() => new Catalog(planted)).toThrow(`its alias \`${alias}\``);
});

test("a folder can be called help, and a note follows what the default command took", async ({ town }) => {
  await town.run("mkdir help");
  expect(await town.run("ls")).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ name: "help" })]),
  });
  expect((await town.type("search statsu")).body).toMatchObject({
    kind: "result",
    notices: ["ran `svc search query statsu`; for the command type `svc search status`"],
  });
  expect((await town.type("search tea")).body.notices).toEqual([]);
});
