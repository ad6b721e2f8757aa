import { localVerbNames } from "@svc/protocol/local-verbs";
import { expect, test } from "vitest";
import { fixture } from "../testing/fixture-catalog.ts";
import { Catalog } from "./catalog.ts";
import type { CommandDefinition } from "./command.ts";

type Words = Pick<CommandDefinition, "aliases" | "isDefault">;

function catalogOf(commands: Record<string, Words>): Catalog<never> {
  return new Catalog(
    Object.entries(commands).map(([path, words]) => {
      const [group = "", name = group] = path.split(" ");
      return { group, name, definition: { ...fixture("files list"), ...words } };
    }),
  );
}

test("finds commands by their aliases, and the default command of a group", () => {
  const catalog = catalogOf({
    "files list": { aliases: ["ls", "dir"] },
    "files stat": {},
    "search query": { isDefault: true },
  });
  expect(catalog.aliases).toEqual(["ls", "dir"]);
  expect(catalog.findAlias("dir")?.path).toBe("files list");
  expect(catalog.findAlias("constructor")).toBeUndefined();
  expect(catalog.defaultOf("search")?.path).toBe("search query");
  expect(catalog.defaultOf("files")).toBeUndefined();
});

test.each<[string, Record<string, Words>, string]>([
  [
    "a group",
    { "files list": { aliases: ["trash"] }, "trash list": {} },
    "command files list: its alias `trash` is a group",
  ],
  ["its own group", { "files list": { aliases: ["files"] } }, "its alias `files` is a group"],
  [
    "another alias",
    { "files list": { aliases: ["ls"] }, "trash list": { aliases: ["ls"] } },
    "command trash list: its alias `ls` is an alias of files list",
  ],
  ["help", { "files list": { aliases: ["help"] } }, "its alias `help` is help"],
  ...localVerbNames.map((verb): [string, Record<string, Words>, string] => [
    `the client's ${verb}`,
    { "files list": { aliases: [verb] } },
    `its alias \`${verb}\` runs in the client`,
  ]),
  ["two words", { "files list": { aliases: ["list files"] } }, "an alias is one word, not `list files`"],
  ["a flag", { "files list": { aliases: ["--ls"] } }, "an alias is one word, not `--ls`"],
])("an alias cannot be %s", (_, commands, message) => {
  expect(() => catalogOf(commands)).toThrow(message);
});

test("a group cannot have the name of a verb of the client", () => {
  expect(() => catalogOf({ "use list": {} })).toThrow("group use: this word runs in the client");
});

test.each<[string, Record<string, Words>]>([
  [
    "search list and search query",
    { "search list": { isDefault: true }, "search query": { isDefault: true } },
  ],
  ["search and search query", { search: {}, "search query": { isDefault: true } }],
])("a group has one default, not %s", (both, commands) => {
  expect(() => catalogOf(commands)).toThrow(`group search: both ${both} are its default`);
});

test("a default command only reads, because it runs whatever was mistyped", () => {
  const definition = { ...fixture("files move"), isDefault: true };
  expect(() => new Catalog([{ group: "files", name: "move", definition }])).toThrow(
    "command files move: a default command only reads",
  );
});
