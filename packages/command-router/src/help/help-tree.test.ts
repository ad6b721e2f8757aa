import { errorTable } from "@svc/protocol/error-table";
import { HelpTree } from "@svc/protocol/help";
import { expect, test } from "vitest";
import { asCommand, fixture, fixtureCatalog, taking } from "../../testing/fixture-catalog.ts";
import { helpTree } from "./help-tree.ts";
import { toolOf } from "./tool.ts";

function helpOf(command: Parameters<typeof helpTree>[0][number]) {
  const [help] = helpTree([command]).categories[0]?.groups[0]?.commands ?? [];
  if (!help) throw new Error("a tree of one has one");
  return help;
}

const shape = ({ categories }: HelpTree) =>
  categories.map(({ category, groups }) => [
    category,
    groups.map(({ group, commands }) => [group, commands.map(({ path }) => path)]),
  ]);

test("lists category, group, command", () => {
  expect(shape(helpTree(fixtureCatalog.commands))).toEqual([
    ["Account", [["whoami", ["whoami"]]]],
    ["Files", [["files", ["files list", "files move", "files purge"]]]],
  ]);
});

test("matches the protocol, and survives JSON", () => {
  const tree = helpTree(fixtureCatalog.commands);
  expect(HelpTree.parse(JSON.parse(JSON.stringify(tree)))).toEqual(tree);
});

test("shows each argument as people type it", () => {
  expect(helpOf(fixture("files move")).arguments.slice(0, 3)).toEqual([
    {
      name: "target",
      flag: "--target",
      position: 0,
      type: "string",
      repeatable: false,
      required: true,
      description: "Folder to move into",
    },
    {
      name: "source",
      flag: "--source",
      position: 1,
      type: "string",
      repeatable: true,
      required: true,
      description: "What to move",
    },
    {
      name: "onConflict",
      flag: "--on-conflict",
      short: "c",
      type: "string",
      choices: ["ask", "replace", "keep"],
      repeatable: false,
      required: false,
      default: "ask",
      description: "What to do if a name is taken",
    },
  ]);
  expect(helpOf(fixture("files move")).arguments.at(-1)).toMatchObject({ deprecation: "use --target" });
});

test("gives machines the schemas of arguments and result", () => {
  const { argumentSchema, resultSchema } = helpOf(fixture("files list"));
  expect(argumentSchema).toMatchObject({ type: "object", required: ["kind"], additionalProperties: false });
  expect(resultSchema).toMatchObject({ type: "object", required: ["items"] });
});

test.each([
  ["whoami", "svc whoami"],
  ["files move", "svc files move <target> <source>… [options]"],
  ["files list", "svc files list --kind <file|folder>"],
  ["files purge", "svc files purge [options]"],
])("usage of %s", (path, usage) => {
  expect(helpOf(fixture(path)).usage).toBe(usage);
});

test("says what can be undone", () => {
  expect(helpOf(fixture("files move")).undoable).toBe(true);
  expect(helpOf(fixture("files purge")).undoable).toBe(false);
});

const codesOf = (path: string) => helpOf(fixture(path)).exitCodes.map(({ exitCode }) => exitCode);

test("lists exit codes in order, each once, with the command's own failures", () => {
  expect(codesOf("whoami")).toEqual([0, 10, 12, 20, 30, 31, 32, 33]);
  expect(codesOf("files move")).toEqual([0, 10, 12, 20, 21, 22, 24, 30, 31, 32, 33]);
});

test("failures that share an exit code share a line, each once", () => {
  const command = asCommand({ ...taking({}), failures: ["usage", "usage", "invalid_arguments", "conflict"] });
  const meanings = new Map(helpOf(command).exitCodes.map(({ exitCode, meaning }) => [exitCode, meaning]));
  expect(meanings.get(20)).toBe("Invalid arguments; invalid command line");
  expect(meanings.get(22)).toBe(
    `${errorTable.conflict.title}; ${errorTable.idempotency_key_reused.title.toLowerCase()}`,
  );
});

test("a command that reports failed checks says so", () => {
  const command = asCommand({ ...fixture("whoami"), exitCode: () => 60 });
  expect(helpOf(command).exitCodes.at(-1)).toEqual({ exitCode: 60, meaning: "Complete, but a check failed" });
});

test("what may hold a line that a person has to approve counts as such", () => {
  const move = fixture("files move");
  const waits = errorTable.approval_pending.title.toLowerCase();
  const [plain, holding] = [move, asCommand({ ...move, holdsLines: true })].map((command) => ({
    isDestructive: toolOf(command).annotations.destructiveHint,
    waits: helpOf(command).exitCodes.some(({ meaning }) => meaning.toLowerCase().includes(waits)),
  }));
  expect(plain).toEqual({ isDestructive: false, waits: false });
  expect(holding).toEqual({ isDestructive: true, waits: true });
});
