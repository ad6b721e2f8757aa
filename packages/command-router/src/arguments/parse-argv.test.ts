import { ProblemError } from "@svc/protocol/problem";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fixtureCatalog, taking } from "../../testing/fixture-catalog.ts";
import { Catalog } from "../catalog.ts";
import { parseArgv } from "./parse-argv.ts";

const parse = (line: string) => parseArgv(fixtureCatalog, line === "" ? [] : line.split(" "));

function refusal(line: string): ProblemError {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error(`${line} was not refused`);
}

function called(line: string) {
  const parsed = parse(line);
  if (parsed.kind !== "call") throw new Error(`${line} is not a call`);
  return { ...parsed, command: parsed.command.path };
}

test("finds a command by group and name, and one of a single word", () => {
  expect(called("files list --kind file")).toEqual({
    kind: "call",
    command: "files list",
    arguments: { kind: "file" },
    dryRun: false,
    all: false,
    notices: [],
    words: new Map([["kind", [3]]]),
  });
  expect(called("whoami")).toMatchObject({ command: "whoami", arguments: {} });
});

test.each([
  ["file move", "usage", "There is no command `file`.", "Did you mean `files`?"],
  ["FILES move", "usage", "There is no command `FILES`.", "Did you mean `files`?"],
  ["zzzzzzzz", "usage", "There is no command `zzzzzzzz`.", "`svc help` lists all commands."],
  ["files mvoe", "usage", "There is no command `files mvoe`.", "Did you mean `move`?"],
  [
    "files zzzz",
    "usage",
    "There is no command `files zzzz`.",
    "`svc files help` lists the commands of this group.",
  ],
  ["files", "usage", "`files` needs a command: list, move, purge.", "`svc files help` explains them."],
  [
    "files --kind file",
    "usage",
    "`files` needs a command: list, move, purge.",
    "`svc files help` explains them.",
  ],
  [
    "--kind file",
    "usage",
    "A line must begin with a command, not with `--kind`.",
    "`svc help` lists all commands.",
  ],
  [
    "-- whoami",
    "usage",
    "A line must begin with a command, not with `--`.",
    "`svc help` lists all commands.",
  ],
  ["__proto__ move", "usage", "There is no command `__proto__`.", "`svc help` lists all commands."],
  ["toString", "usage", "There is no command `toString`.", "`svc help` lists all commands."],
  [
    "files constructor",
    "usage",
    "There is no command `files constructor`.",
    "`svc files help` lists the commands of this group.",
  ],
  ["whoami whoami", "invalid_arguments", "`whoami` is one word too many.", "svc whoami --help"],
])("refuses `%s` and says what to do", (line, code, detail, hint) => {
  expect(refusal(line)).toMatchObject({ code, message: detail, hint });
});

test("an empty word is not a group", () => {
  expect(() => parseArgv(fixtureCatalog, [""])).toThrow("There is no command ``.");
});

test("quotes what was typed, shortened and without what a terminal obeys", () => {
  expect(refusal(`\u001b[2J${"x".repeat(200)}`).message).toBe(
    `There is no command \`\\u{1b}[2J${"x".repeat(96)}…\`.`,
  );
  expect(refusal(`whoami ${"\u202e".repeat(3)}`).violations).toEqual([
    { argument: "\\u{202e}".repeat(3), message: "is one word too many", word: 1 },
  ]);
});

test.each([
  "--dry-run --workspace red --confirm false files move /to a",
  "files --dry-run --workspace red move --confirm false /to a",
  "files move --dry-run /to --workspace=red a --confirm=false",
  "files move /to a --force --dry-run --workspace red --confirm false",
  "files move /to a --confirm false --workspace red --dry-run=true",
])("takes reserved flags anywhere: %s", (line) => {
  expect(called(line)).toMatchObject({
    command: "files move",
    arguments: { target: "/to", source: ["a"] },
    dryRun: true,
    confirm: "false",
    workspace: "red",
  });
});

test.each(["--no-dry-run", "--dry-run=false"])("%s is not a dry run", (flag) => {
  expect(called(`files purge ${flag}`).dryRun).toBe(false);
});

test.each([
  ["files purge --confirm false --confirm true", "--confirm is given twice."],
  ["files purge --dry-run --no-dry-run", "--no-dry-run is given twice."],
  ["--workspace red files purge --workspace blue", "--workspace is given twice."],
  ["files purge --dry-run=maybe", "--dry-run takes no value."],
  ["files purge --no-dry-run=true", "--no-dry-run takes no value."],
  ["files purge --confirm", "--confirm needs a value (write --confirm=VALUE where it begins with a dash)."],
  [
    "files purge --confirm --dry-run",
    "--confirm needs a value (write --confirm=VALUE where it begins with a dash).",
  ],
  [
    "--workspace --dry-run files purge",
    "--workspace needs a value (write --workspace=VALUE where it begins with a dash).",
  ],
  ["whoami --results", "--results goes with --help --json."],
  ["whoami --skill", "--skill goes with `svc help`."],
  ["whoami --json", "--json goes with --help; a result is JSON with --format json."],
])("refuses %s", (line, detail) => {
  expect(refusal(line).message).toBe(detail);
});

test("a forgotten workspace at the end does not take a positional as its name", () => {
  expect(refusal("files move /to a --workspace").violations).toMatchObject([{ argument: "--workspace" }]);
});

test.each([
  ["files move /to a", { target: [2], source: [3] }],
  ["--workspace red files move /to --dry-run a --limit 5", { target: [4], source: [6], limit: [8] }],
  ["files --workspace=red move --limit 5 -- /to --a", { limit: [4], target: [6], source: [7] }],
  ["whoami", {}],
])("knows the words of the whole line: %s", (line, words) => {
  expect(Object.fromEntries(called(line).words)).toEqual(words);
});

test.each([
  ["--workspace red files move /to a --wrong", 6],
  ["files --dry-run move /to a --workspace red --workspace blue", 8],
  ["--dry-run whoami more", 2],
])("a refusal points into the whole line: %s", (line, word) => {
  expect(refusal(line).violations).toMatchObject([{ word }]);
});

const everything = ["files list", "files move", "files purge", "whoami"];
const files = ["files list", "files move", "files purge"];

test.each([
  ["", everything],
  ["help", everything],
  ["--help", everything],
  ["-h", everything],
  ["--json help", everything],
  ["files help", files],
  ["help files", files],
  ["files --help", files],
  ["files -h", files],
  ["--help files", files],
  ["files --workspace red --help", files],
  ["files move --help", ["files move"]],
  ["files move -h", ["files move"]],
  ["help files move", ["files move"]],
  ["files help move", ["files move"]],
  ["files purge help", ["files purge"]],
  ["files move /to a --help", ["files move"]],
  ["files move --limit 5 --wrong --help", ["files move"]],
  ["files move --limit --help", ["files move"]],
  ["whoami help", ["whoami"]],
  ["whoami --help", ["whoami"]],
])("`%s` asks for help", (line, commands) => {
  const parsed = parse(line);
  expect(parsed.kind === "help" && parsed.commands.map(({ path }) => path)).toEqual(commands);
});

test.each([
  ["files move --help --json", true],
  ["files move --json --help", true],
  ["files move --wrong --help --json", true],
  ["help --json", true],
  ["files help --json", true],
  ["files move --help", false],
])("`%s` asks for help that machines read: %s", (line, json) => {
  expect(parse(line)).toMatchObject({ kind: "help", json, results: false });
});

test.each(["help --json --results", "files help --json --results", "files move --help --results --json"])(
  "`%s` asks for the schemas of results",
  (line) => {
    expect(parse(line)).toMatchObject({ kind: "help", json: true, results: true });
  },
);

test("`help --skill` asks for a SKILL.md, of everything or not at all", () => {
  expect(parse("help --skill")).toMatchObject({ kind: "help", skill: true });
  for (const line of ["files help --skill", "help files --skill", "files move --help --skill"])
    expect(() => parse(line)).toThrow("--skill goes with `svc help`.");
});

test.each(["help --results", "files move --help --results"])(
  "`%s` is refused: text has no schemas",
  (line) => {
    expect(() => parse(line)).toThrow("--results goes with --help --json.");
  },
);

test.each([
  ["help flies", "There is no command `flies`.", "Did you mean `files`?"],
  ["flies help", "There is no command `flies`.", "Did you mean `files`?"],
  ["flies --help", "There is no command `flies`.", "Did you mean `files`?"],
  ["files mvoe --help", "There is no command `files mvoe`.", "Did you mean `move`?"],
])("help on an unknown command says so: %s", (line, detail, hint) => {
  expect(refusal(line)).toMatchObject({ code: "usage", message: detail, hint });
});

test("`help` can be a value where it cannot be a request for help", () => {
  expect(called("files move --target help --source a").arguments).toMatchObject({ target: "help" });
  expect(called("files move help").arguments).toEqual({ target: "help" });
  expect(called("files move /to a help").arguments).toMatchObject({ source: ["a", "help"] });
  expect(called("files move /to help").arguments).toMatchObject({ source: ["help"] });
  expect(called("files move help a").arguments).toMatchObject({ target: "help", source: ["a"] });
  expect(called("files move -- help a").arguments).toMatchObject({ target: "help" });
});

test("a group with a command of the same name is explained as a whole", () => {
  const { definition } = { definition: taking({}) };
  const catalog = new Catalog([
    { group: "search", name: "search", definition },
    { group: "search", name: "reindex", definition },
  ]);
  const parsed = parseArgv(catalog, ["search", "--help"]);
  expect(parsed.kind === "help" && parsed.commands.map(({ path }) => path)).toEqual([
    "search",
    "search reindex",
  ]);
});

const word = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("files", "move", "help", "-", "--", "-h", "--help", "--json", "--dry-run", "--confirm"),
  fc.constantFrom(
    "--no-notify",
    "-fn",
    "-n5",
    "--limit",
    "--__proto__",
    "--constructor=1",
    "--=x",
    "-=",
    "--no-",
  ),
);

test("any line is understood or refused, and nothing else happens", () => {
  fc.assert(
    fc.property(fc.array(word), (argv) => {
      try {
        expect(["help", "call"]).toContain(parseArgv(fixtureCatalog, argv).kind);
      } catch (error) {
        expect(error).toBeInstanceOf(ProblemError);
        expect((error as ProblemError).message.length).toBeLessThan(20_000);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(Object.prototype).not.toHaveProperty("1");
});
