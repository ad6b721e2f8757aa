import { ProblemError } from "@svc/protocol/problem";
import { expect, test } from "vitest";
import { z } from "zod";
import { taking } from "../../testing/fixture-catalog.ts";
import { Catalog } from "../catalog.ts";
import { parseArgv } from "./parse-argv.ts";

const text = z.string().describe("Text");
const texts = z.array(z.string()).describe("Texts");
const flag = z.int().optional().describe("At most");
const reading = { effect: "read" as const };
const catalog = new Catalog([
  {
    group: "files",
    name: "list",
    definition: { ...taking({ path: text.optional(), limit: flag }, ["path"]), aliases: ["ls"] },
  },
  { group: "files", name: "mkdir", definition: { ...taking({ path: text }, ["path"]), aliases: ["mkdir"] } },
  {
    group: "files",
    name: "move",
    definition: { ...taking({ source: texts, target: text }, ["source", "target"]), aliases: ["mv"] },
  },
  {
    group: "search",
    name: "query",
    definition: { ...taking({ words: texts, limit: flag }, ["words"]), ...reading, isDefault: true },
  },
  { group: "search", name: "status", definition: { ...taking({}), ...reading } },
  { group: "search", name: "log", definition: taking({}) },
]);

/** `help: <paths>`, or the path and the words that it takes. */
function meaning(line: string): string {
  const parsed = parseArgv(catalog, line.split(" "));
  if (parsed.kind === "help") return `help: ${parsed.commands.map(({ path }) => path).join(", ")}`;
  const { command, arguments: args } = parsed;
  return [command.path, ...Object.values(args).flat().map(String)].join(" | ");
}

const refusalOf = (line: string) => {
  try {
    return meaning(line);
  } catch (error) {
    return error instanceof ProblemError ? `${error.message} ${error.hint}` : error;
  }
};

test.each([
  ["ls", "files list"],
  ["ls /a", "files list | /a"],
  ["--workspace red ls /a", "files list | /a"],
  ["ls --limit 3 /a", "files list | 3 | /a"],
  ["mv a b /to", "files move | a | b | /to"],
  ["search tea", "search query | tea"],
  ["search green tea", "search query | green | tea"],
  ["search evaluate", "search query | evaluate"],
  ["search --limit 3 tea", "search query | 3 | tea"],
  ["search -- status", "search query | status"],
  ["search --workspace red tea", "search query | tea"],
  ["search status", "search status"],
  ["search query status", "search query | status"],
])("`%s` runs %s", (line, expected) => {
  expect(meaning(line)).toBe(expected);
});

test.each([
  ["help", "help: files list, files mkdir, files move, search log, search query, search status"],
  ["files help", "help: files list, files mkdir, files move"],
  ["help files", "help: files list, files mkdir, files move"],
  ["search help", "help: search log, search query, search status"],
  ["help files list", "help: files list"],
  ["files help list", "help: files list"],
  ["help ls", "help: files list"],
  ["ls --help", "help: files list"],
  ["ls help", "help: files list"],
  ["ls /a help", "help: files list"],
  ["files list help", "help: files list"],
  ["files mkdir x help", "help: files mkdir"],
  ["mkdir x help", "help: files mkdir"],
  ["search tea --help", "help: search query"],
  ["files mkdir help", "files mkdir | help"],
  ["mkdir help", "files mkdir | help"],
  ["mkdir help help", "help: files mkdir"],
  ["mv a help", "files move | a | help"],
  ["mv help /to", "files move | help | /to"],
  ["mv a b help", "files move | a | b | help"],
  ["search query help", "search query | help"],
  ["search how to get help", "search query | how | to | get | help"],
  ["ls --limit 3 help", "files list | 3 | help"],
])("`%s` means %s", (line, expected) => {
  expect(meaning(line)).toBe(expected);
});

test("a word close to a command is taken by the default command, with a note", () => {
  expect(parseArgv(catalog, ["search", "statsu"])).toMatchObject({
    arguments: { words: ["statsu"] },
    notices: ["ran `svc search query statsu`; for the command type `svc search status`"],
  });
  expect(parseArgv(catalog, ["search", "lob"])).toMatchObject({
    notices: ["ran `svc search query lob`; for the command type `svc search log`"],
  });
  expect(parseArgv(catalog, ["search", "tea"])).toMatchObject({ notices: [] });
  expect(parseArgv(catalog, ["search", "query", "statsu"])).toMatchObject({ notices: [] });
});

test.each([
  ["lss", "There is no command `lss`. Did you mean `ls`?"],
  ["mkdri /a", "There is no command `mkdri`. Did you mean `mkdir`?"],
  ["searhc tea", "There is no command `searhc`. Did you mean `search`?"],
  ["files mkdri", "There is no command `files mkdri`. Did you mean `mkdir`?"],
  ["search", "`search` needs a command: log, query, status. `svc search help` explains them."],
  ["search statsu --help", "There is no command `search statsu`. Did you mean `status`?"],
  ["help search statsu", "There is no command `search statsu`. Did you mean `status`?"],
  ["search statsu --wrong", "There is no command `search statsu`. Did you mean `status`?"],
])("refuses `%s`", (line, expected) => {
  expect(refusalOf(line)).toBe(expected);
});
