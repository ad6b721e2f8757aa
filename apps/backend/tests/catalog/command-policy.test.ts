import { remotePath } from "@svc/command-router/arguments/address";
import { localFile } from "@svc/command-router/arguments/local-file";
import { parseArguments } from "@svc/command-router/arguments/parse-arguments";
import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import { isReserved } from "@svc/command-router/arguments/reserved-flags";
import { Catalog, type Command, loadCatalog } from "@svc/command-router/catalog";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { defineCommand } from "../../src/platform/commands/define-command.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { typedWords } from "../../testing/typed-words.ts";

/** Anybody can look at their own credential, whatever its scopes. */
const withoutScopes = new Set(["whoami"]);
/** A revealed secret cannot be taken back, nor a revoked one restored. */
const withoutUndo = new Set([
  "tokens create",
  "tokens rotate",
  "tokens revoke",
  "sessions open",
  "sessions end",
  // It only rebuilds derived data.
  "search reindex",
  "embeddings run",
  "embeddings retry",
  // An AI member may have used it already.
  "approvals approve",
  "approvals deny",
  "approvals ask",
  "approvals answer",
]);
/** Their descriptions speak of paths and collections, but they take none. */
const withoutAddress = new Set([
  "files rename name",
  "files put exclude",
  "files sync exclude",
  "collections alter name",
]);
const readVerbs = new Set([
  "list",
  "get",
  "show",
  "verify",
  "find",
  "search",
  "query",
  "whoami",
  "count",
  "export",
]);

/** The rules that a reviewer would apply to each command, by the part they concern. */
const rules: Record<string, (command: Command<CommandContext>) => unknown[]> = {
  effect: ({ effect, name }) => [
    !["read", "write", "destroy"].includes(effect) && `is ${effect}`,
    effect !== "read" && readVerbs.has(name) && `${name} sounds like a read, so nobody would preview it`,
  ],
  category: ({ category }) => [!/^[A-Z][a-z ]+$/.test(category) && `${category} is not a heading`],
  summary: ({ summary }) => [
    !/^[A-Z]/.test(summary) && "does not begin with a capital",
    /[.!\s]$/.test(summary) && "ends with a full stop",
    summary.length > 80 && "is longer than 80 characters",
    summary.includes("\n") && "has two lines",
  ],
  addresses: ({ path, specs }) =>
    specs.map(
      ({ name, type, description, address, localFile }) =>
        type === "string" &&
        /\b(path|folder|collection)\b/i.test(description) &&
        !/, by id$/.test(description) &&
        !address &&
        !localFile &&
        !withoutAddress.has(`${path} ${name}`) &&
        `${name} seems to take a path or a collection; use remotePath() or collectionName()`,
    ),
  arguments: ({ specs, positionals, arguments: schema }) => [
    ...specs.map(({ name, description }) => description.length < 3 && `${name} has no description`),
    ...specs.map(({ flag }) => isReserved(flag) && `--${flag} means the same for every command`),
    ...specs.map(({ name }) => !/^[a-z][A-Za-z0-9]*$/.test(name) && `${name} is not camelCase`),
    ...positionals.map((name) => !specs.some((spec) => spec.name === name) && `${name} does not exist`),
    schema.safeParse({ anythingElse: 1 }).error?.issues.every(({ code }) => code !== "unrecognized_keys") &&
      "accepts unknown fields",
  ],
  scopes: ({ scopes, effect, path }) => [
    scopes.length === 0 && !withoutScopes.has(path) && "there are none",
    ...scopes.map((scope) => {
      const [, verb] = /^[a-z]+(?:-[a-z]+)*:([a-z]+)$/.exec(scope) ?? [];
      if (verb === undefined) return `${scope} does not have the form noun:verb`;
      return verb !== (effect === "read" ? "read" : "write") && `${scope} does not fit the effect ${effect}`;
    }),
  ],
  agents: ({ agents, reach, effect, scopes, specs }) => {
    const lettingIn = scopes.find((scope) =>
      /^(tokens|access|members|groups|administrators):write$/.test(scope),
    );
    const settingLimits = scopes.find((scope) =>
      /^(tokens|administrators|settings|budget|policies|approvals):write$/.test(scope),
    );
    const isApproved = agents !== "never" && (effect === "destroy" || reach === "outward");
    return [
      lettingIn && reach !== "outward" && `needs ${lettingIn}, so it must reach outward`,
      reach === "outward" && effect === "read" && "a read reaches nobody",
      settingLimits && agents !== "never" && `needs ${settingLimits}, so it must never be an AI member's`,
      isApproved && agents === "listed" && "a person has to approve it, so it is searchable",
      isApproved && specs.some(({ secret }) => secret) && "people cannot approve a secret",
      isApproved &&
        specs.some(({ localFile }) => localFile) &&
        "people cannot approve a file they cannot see",
    ];
  },
  examples: (command) => [
    command.examples.length === 0 && "there is none",
    ...command.examples.map(
      ({ command: line, note }) => complaintAboutExample(command, line) ?? (note === "" && "no note"),
    ),
  ],
  table: ({ presentation, result }) => {
    if (presentation.as !== "table") return [];
    const fields = itemFields(result);
    if (fields === undefined) return ["the result has no `items`"];
    return [
      presentation.empty === "" && "has no text for an empty list",
      ...presentation.columns.map(({ field }) => !fields.includes(field) && `no item has ${field}`),
    ];
  },
  undo: ({ effect, path, undo }) => [
    effect === "write" && !undo && !withoutUndo.has(path) && "a write must be undoable",
    effect === "read" && undo && "there is nothing to undo",
  ],
  result: ({ undo, result }) => {
    // In JSON the client adds `operation` to it.
    const schema = z.toJSONSchema(result, { io: "output" });
    const forms = (schema.anyOf ?? [schema]) as { type?: string; properties?: object }[];
    return [
      undo && forms.some(({ type }) => type !== "object") && "must be an object, to name its operation",
      undo && forms.some(({ properties = {} }) => "operation" in properties) && "already has an operation",
    ];
  },
};

const catalog = await loadCatalog<CommandContext>(featuresFolder);

test("every command follows the rules", () => {
  const complaints = catalog.commands.flatMap((command) =>
    complaintsAbout(command).map((complaint) => `${command.path}: ${complaint}`),
  );
  expect(complaints).toEqual([]);
});

test("the lists of exceptions name commands that exist and need them", () => {
  for (const path of withoutScopes) expect(catalog.find(path)?.scopes).toEqual([]);
  const named = catalog.commands.flatMap(({ path, specs }) => specs.map(({ name }) => `${path} ${name}`));
  for (const argument of withoutAddress) expect(named).toContain(argument);
  for (const path of withoutUndo) expect(catalog.find(path)).toMatchObject({ effect: "write" });
});

test("AI members are shown at most 20 commands at once; the others are found", () => {
  expect(catalog.commands.filter(({ agents }) => agents === "listed").length).toBeLessThanOrEqual(20);
});

describe("each rule reports a violation", () => {
  const good = {
    summary: "Rename a thing",
    category: "Things",
    effect: "write" as const,
    agents: "searchable" as const,
    reach: "inside" as const,
    scopes: ["things:write"],
    arguments: z.strictObject({ target: z.string().describe("Which thing") }),
    positionals: ["target"] as const,
    result: z.object({ id: z.string() }),
    presentation: { as: "text" as const, text: () => "Renamed" },
    examples: [{ command: "things rename this", note: "By name" }],
    failures: [],
    undo: { payload: z.object({}), run: async () => ({}) },
    run: async () => ({ id: "1" }),
  };
  const { undo, ...notUndoable } = good;
  const read = { ...notUndoable, effect: "read" as const, scopes: ["things:read"] };
  const listed = {
    ...read,
    result: z.object({ items: z.array(z.object({ id: z.string() })) }),
    presentation: { as: "table" as const, columns: [{ field: "id", label: "Id" }], empty: "None." },
  };
  const argument = (schema: z.ZodType) => ({
    ...good,
    arguments: z.strictObject({ target: z.string().describe("Which thing"), extra: schema }),
  });

  test("but accepts a good command", () => {
    expect(complaintsOf(good)).toEqual([]);
    expect(complaintsOf(read)).toEqual([]);
    expect(complaintsOf(listed)).toEqual([]);
    expect(complaintsOf(argument(remotePath().optional().describe("Path of the folder")))).toEqual([]);
  });

  test.each([
    ["result: must be an object", { ...good, result: z.array(z.string()), run: async () => [] }],
    ["result: already has", { ...good, result: z.object({ operation: z.string() }) }],
    ["effect: is maybe", { ...good, effect: "maybe" as never }],
    [
      "effect: list sounds like a read",
      { ...good, examples: [{ command: "things list x", note: "x" }] },
      "list" as string,
    ],
    ["category: things is not a heading", { ...good, category: "things" }],
    ["summary: does not begin", { ...good, summary: "rename a thing" }],
    ["summary: ends with a full stop", { ...good, summary: "Rename a thing." }],
    ["summary: is longer", { ...good, summary: `Rename ${"x".repeat(80)}` }],
    ["summary: has two lines", { ...good, summary: "Rename\na thing" }],
    ["arguments: extra has no description", argument(z.string().optional())],
    ["addresses: extra seems to take a path", argument(z.string().optional().describe("Path of the folder"))],
    ["addresses: extra seems to take", argument(z.string().optional().describe("Name of a collection"))],
    ["cannot express", argument(z.object({ deep: z.string() }).describe("Nested"))],
    [
      "every command has --dry-run",
      { ...good, arguments: good.arguments.extend({ dryRun: z.boolean().describe("Mine") }) },
    ],
    ["a command with a local file needs `beforeUpload`", argument(localFile("A file"))],
    [
      "a command that presents files needs `beforeDownload`",
      { ...read, presentation: { as: "file" as const } },
    ],
    ["-h is taken", argument(z.string().optional().meta({ description: "Short", short: "h" }))],
    [
      "arguments: snake_case is not",
      { ...good, arguments: good.arguments.extend({ snake_case: z.string().optional().describe("Odd") }) },
    ],
    [
      "arguments: accepts unknown fields",
      { ...good, arguments: z.object({ target: z.string().describe("Which thing") }) },
    ],
    ["scopes: there are none", { ...good, scopes: [] }],
    ["scopes: write does not have the form", { ...good, scopes: ["write"] }],
    ["scopes: things:read does not fit", { ...good, scopes: ["things:read"] }],
    ["scopes: things:write does not fit", { ...read, scopes: ["things:write"] }],
    ["agents: needs groups:write", { ...good, scopes: ["groups:write"] }],
    ["agents: needs policies:write", { ...good, scopes: ["policies:write"] }],
    ["agents: a read reaches nobody", { ...read, reach: "outward" as const }],
    ["agents: a person has to approve", { ...good, reach: "outward" as const, agents: "listed" as const }],
    [
      "agents: people cannot approve a secret",
      {
        ...good,
        reach: "outward" as const,
        arguments: z.strictObject({ target: z.string().meta({ description: "Which", secret: true }) }),
      },
    ],
    ["examples: there is none", { ...good, examples: [] }],
    ["examples: `things move x`", { ...good, examples: [{ command: "things move x", note: "Another" }] }],
    [
      "examples: `things rename --to x`",
      { ...good, examples: [{ command: "things rename --to x", note: "Unknown" }] },
    ],
    [
      "examples: `things rename`",
      { ...good, examples: [{ command: "things rename", note: "Not complete" }] },
    ],
    [
      "examples: `things rename --help`",
      { ...good, examples: [{ command: "things rename --help", note: "No call" }] },
    ],
    ["table: the result has no", { ...listed, result: z.object({ rows: z.array(z.string()) }) }],
    [
      "table: no item has name",
      { ...listed, presentation: { ...listed.presentation, columns: [{ field: "name", label: "Name" }] } },
    ],
    ["undo: a write must be undoable", notUndoable],
    ["undo: there is nothing", { ...read, undo }],
  ] as const)("%s", (complaint, definition, name = "rename") => {
    expect(complaintsOf(definition as never, name).join("\n")).toContain(complaint);
  });

  function complaintsOf(options: Parameters<typeof defineCommand>[0], name = "rename"): string[] {
    try {
      const definition = defineCommand(options);
      const [command] = new Catalog<CommandContext>([{ group: "things", name, definition }]).commands;
      return command ? complaintsAbout(command) : ["not in the catalog"];
    } catch (error) {
      return [String(error)];
    }
  }
});

function complaintsAbout(command: Command<CommandContext>): string[] {
  return Object.entries(rules).flatMap(([about, rule]) =>
    rule(command)
      .filter((complaint) => typeof complaint === "string")
      .map((complaint) => `${about}: ${complaint}`),
  );
}

/** People paste examples, so each must be a complete call of this command. */
function complaintAboutExample(command: Command<CommandContext>, line: string): string | undefined {
  try {
    const parsed = parseArgv(new Catalog([{ ...command, definition: command }]), typedWords(line));
    if (parsed.kind !== "call") return `\`${line}\` asks for help`;
    parseArguments(parsed.command, parsed.arguments);
    return parsed.command.path === command.path ? undefined : `\`${line}\` is ${parsed.command.path}`;
  } catch (error) {
    return `\`${line}\` is refused: ${error instanceof Error ? error.message : error}`;
  }
}

function itemFields(result: z.ZodType): string[] | undefined {
  const { properties } = z.toJSONSchema(result) as {
    properties?: { items?: { items?: { properties?: Record<string, unknown> } } };
  };
  const fields = properties?.items?.items?.properties;
  return fields && Object.keys(fields);
}
