import { commandMeant } from "@svc/command-router/arguments/command-meant";
import { suggest } from "@svc/command-router/arguments/suggest";
import { type Command, loadCatalog } from "@svc/command-router/catalog";
import { isGrave } from "@svc/command-router/decide";
import { nextOfBody } from "@svc/command-router/next/next-of-body";
import { nextOfLine } from "@svc/command-router/next/next-of-line";
import type { Runner } from "@svc/command-router/require-may-run";
import { type Next, wordsOf } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { faultSize } from "@svc/testing/fault-size";
import { offenders } from "@svc/testing/offenders";
import { expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { CompletionSources } from "../../src/platform/completions/completion-sources.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";

/** Generated from the catalog: a new command is tested by itself. */
const catalog = await loadCatalog<CommandContext>(featuresFolder);
const { commands } = catalog;
const person: Runner = { actorKind: "human", inSession: false, scopes: ["*"], commands: undefined };
const agent: Runner = { ...person, actorKind: "ai" };
const refused = new ProblemError("invalid_arguments", "It is refused.");
const callable = commands
  .filter(({ specs }) => !specs.some(({ localFile }) => localFile))
  .map((command) => [command.path, command] as const);
let proposed = 0;

/** A value that the argument takes. */
function sound({ specs }: Command<CommandContext>): Record<string, unknown> {
  const values = specs
    .filter(({ required }) => required)
    .map(({ name, choices, type, repeatable }) => {
      const value = choices?.[0] ?? (type === "string" ? "/a" : 1);
      return [name, repeatable ? [value] : value];
    });
  return Object.fromEntries(values);
}

/** Reading these takes long. */
const large = [
  JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown,
  "e\u0301\u0301".repeat(4_000),
  `a${"\u0301".repeat(50_000)}`,
  "x".repeat(9_000),
];

/** Every argument misspelled, left out, of another type and out of bounds; some that do not exist; no object at all. */
function slips(command: Command<CommandContext>): unknown[] {
  const given = sound(command);
  // At night every argument gets the large ones, otherwise one of each command: together, every kind of argument.
  const heavy = command.specs[commands.indexOf(command) % command.specs.length]?.name;
  return [
    ...command.specs.flatMap(({ name }) => {
      const { [name]: value, ...others } = given;
      const odd = [
        ...(name === heavy || faultSize(1, 0) === 1 ? large : []),
        "true",
        "1",
        1e12,
        -1,
        null,
        [],
        [1],
        ["a", "b"],
        {},
        { a: 1 },
        "\0",
      ];
      return [
        others,
        { ...others, [`${name}x`]: value ?? "a" },
        ...odd.map((other) => ({ ...others, [name]: other })),
      ];
    }),
    { ...given, nosuch: true },
    { ...given, confirm: "true", dryRun: false },
    { ...given, __proto__: 1, constructor: 2 },
    [given],
    null,
    "text",
  ];
}

function expectHarmless(next: Next | undefined, command: Command<CommandContext>, runner: Runner): void {
  if (!next) return;
  proposed += 1;
  const named = catalog.find(next.command);
  expect(named?.arguments.safeParse(next.arguments).success, JSON.stringify(next)).toBe(true);
  expect(next).not.toHaveProperty("confirm");
  expect(JSON.stringify(next).length).toBeLessThanOrEqual(2_000);
  const isPreview = next.dryRun === true || runner === agent;
  expect(named?.effect === "read" || isPreview, JSON.stringify(next)).toBe(true);
  // Another command than the one that was called only reads.
  expect(named === command || named?.effect === "read", JSON.stringify(next)).toBe(true);
  // Read by the parser as what it is.
  const line = nextOfLine(refused, wordsOf({ ...next, workspace: "w" }), { commands, runner });
  expect(line === undefined || line.command === next.command).toBe(true);
}

test.for([
  ["a person", person],
  ["an agent", agent],
] as const)("what follows a slip of %s works, and changes nothing, for every command", async ([, runner]) => {
  const found = await offenders(callable, (command) => {
    const { path } = command;
    for (const given of slips(command)) {
      const body = { arguments: given, workspace: "w" };
      const next = nextOfBody(refused, { name: path, body }, { commands, runner });
      expectHarmless(next, command, runner);
      // Nothing that a change was given is left out of it.
      if (next?.command !== path || command.effect === "read") continue;
      const wishes = ["confirm", "dryRun"];
      const asked = Object.keys(Object(given)).filter((name) => !wishes.includes(name));
      expect(Object.keys(next.arguments).length, JSON.stringify([given, next])).toBe(asked.length);
    }
  });
  expect(found).toEqual([]);
});

test("every name is understood without its space, and in the singular", async () => {
  const found = await offenders(callable, (command) => {
    const { path } = command;
    const names = [path.replace(" ", "_"), path.replace(" ", "."), path.replace(/s? /, " ")];
    for (const name of names) {
      const body = { arguments: sound(command) };
      const next = nextOfBody(refused, { name, body }, { commands, runner: person });
      if (command.arguments.safeParse(sound(command)).success) expect(next?.command, name).toBe(path);
    }
  });
  expect(found).toEqual([]);
});

test("nothing that cannot be undone or changes who gets in is guessed from another word", () => {
  const words = [...new Set(commands.flatMap(({ keywords = [] }) => keywords))].filter(
    (word) => !/ /.test(word),
  );
  const groups = [...new Set(commands.map(({ group }) => group))];
  const guessed: [name: string, path: string][] = [];
  for (const name of [...words, ...words.flatMap((word) => groups.map((group) => `${group} ${word}`))]) {
    if (catalog.find(name)) continue;
    const meant = commandMeant(commands, name.split(" "))?.command;
    if (!meant) continue;
    const body = { arguments: sound(meant) };
    const next = nextOfBody(refused, { name, body }, { commands, runner: person });
    const found = next && catalog.find(next.command);
    if (found && isGrave(found)) guessed.push([name, found.path]);
  }
  // Each of them is the name but for a letter or two.
  expect(guessed.filter(([name, path]) => !isSlip(name, path))).toEqual([]);
});

function isSlip(typed: string, path: string): boolean {
  const [one, other] = [typed, path].map((text) => text.replaceAll(" ", "")) as [string, string];
  return suggest(one, [other]) !== undefined && Math.abs(one.length - other.length) <= 2;
}

test("nobody is sent to a command that they may not run", () => {
  const body = { arguments: {} };
  const without = { ...person, scopes: ["files:write"] };
  const name = "files delete";
  expect(nextOfBody(refused, { name, body }, { commands, runner: person })?.command).toBe("files list");
  expect(nextOfBody(refused, { name, body }, { commands, runner: without })).toBeUndefined();
  const never = { name: "tokens create", body: { arguments: { nam: "x" } } };
  expect(nextOfBody(refused, never, { commands, runner: person })).toMatchObject({ dryRun: true });
  expect(nextOfBody(refused, never, { commands, runner: agent })).toBeUndefined();
});

test("each kind of thing has one list, which takes no arguments and is where completion looks", async () => {
  const sources = await CompletionSources.load(featuresFolder);
  const listing = commands.flatMap(({ lists, path, effect, specs }) =>
    lists === undefined ? [] : [{ lists, path, effect, needs: specs.filter(({ required }) => required) }],
  );
  expect(new Set(listing.map(({ lists }) => lists)).size).toBe(listing.length);
  expect(listing.map(({ lists }) => lists as string).toSorted()).toEqual(sources.kinds.toSorted());
  for (const { lists, path, effect, needs } of listing) {
    expect([effect, needs]).toEqual(["read", []]);
    expect(sources.of([lists]).map((source) => source.listing)).toContain(path);
  }
});

test("enough was proposed to mean something", () => expect(proposed).toBeGreaterThan(1_000));
