import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { fixture, taking } from "../../testing/fixture-catalog.ts";
import { readArgumentLine } from "./read-argument-line.ts";

const move = fixture("files move").specs;
const read = (line: string, specs = move) => readArgumentLine(specs, line.split(" "));

test.each([
  ["--folder x", { folder: "x" }],
  ["--folder=x", { folder: "x" }],
  ["--folder=", { folder: "" }],
  ["--folder=a=b", { folder: "a=b" }],
  ["--folder=--dry-run", { folder: "--dry-run" }],
  ["--folder -", { folder: "-" }],
  ["--limit 5", { limit: 5 }],
  ["-n 5", { limit: 5 }],
  ["-n5", { limit: 5 }],
  ["-n -5", { limit: -5 }],
  ["--limit=1e2", { limit: 100 }],
  ["--limit=.5", { limit: 0.5 }],
  ["--limit five", { limit: "five" }],
  ["--limit=", { limit: "" }],
  ["--limit=0x10", { limit: "0x10" }],
  ["--limit=Infinity", { limit: "Infinity" }],
  ["--force", { force: true }],
  ["-f", { force: true }],
  ["-fn5", { force: true, limit: 5 }],
  ["--force=false", { force: false }],
  ["--force=maybe", { force: "maybe" }],
  ["--no-force", { force: false }],
  ["--no-notify", { notify: false }],
  ["--label a --label b", { label: ["a", "b"] }],
  ["-l a --label=b -lc", { label: ["a", "b", "c"] }],
  ["--on-conflict keep", { onConflict: "keep" }],
  ["/to", { target: "/to" }],
  ["/to a b c", { target: "/to", source: ["a", "b", "c"] }],
  ["/to --force a -n 5 b", { target: "/to", source: ["a", "b"], force: true, limit: 5 }],
  ["--target /to --source a --source b", { target: "/to", source: ["a", "b"] }],
  ["/to -- --force -n", { target: "/to", source: ["--force", "-n"] }],
])("%s", (line, values) => {
  expect(read(line)).toMatchObject({ values, violations: [] });
});

const needsValue = (flag: string) => `needs a value (write ${flag}=VALUE where it begins with a dash)`;

const unknown = "is not an argument of this command";

test.each([
  ["--folder --dry-run", "--folder", needsValue("--folder"), 0],
  ["--folder -f", "--folder", needsValue("--folder"), 0],
  ["--folder --", "--folder", needsValue("--folder"), 0],
  ["-n --force", "-n", needsValue("-n"), 0],
  ["--folder", "--folder", needsValue("--folder"), 0],
  ["--limit 1 --limit 2", "--limit", "takes one value and is given twice: `1`, `2`", 3],
  ["--limit 1 --limit=x", "--limit", "takes one value and is given twice: `1`, `x`", 2],
  ["--force --no-force", "--force", "is given twice", 1],
  ["/to --target /else", "<target>", "takes one value and is given twice: `/to`, `/else`", 2],
  ["--no-force=true", "--no-force", "takes no value", 0],
  ["--no-folder", "--no-folder", `${unknown}. Did you mean \`--folder\`?`, 0],
  ["/to --fodler x", "--fodler", `${unknown}. Did you mean \`--folder\`?`, 1],
  ["--onconflict=keep", "--onconflict", `${unknown}. Did you mean \`--on-conflict\`?`, 0],
  ["--dryrun", "--dryrun", `${unknown}. Did you mean \`--dry-run\`?`, 0],
  ["--wholly-unknown", "--wholly-unknown", unknown, 0],
  ["/to a -fx", "-x", unknown, 2],
  ["--__proto__=x", "--__proto__", unknown, 0],
  ["--constructor=x", "--constructor", unknown, 0],
  ["--no-constructor", "--no-constructor", unknown, 0],
])("refuses %s", (line, argument, message, word) => {
  expect(read(line).violations[0]).toEqual({ argument, message, word });
});

test("knows the word that gave each value", () => {
  const { words } = read("/to --limit 5 a -l x -ly --no-force -c=keep b --label=z -fn 7");
  expect(Object.fromEntries(words)).toEqual({
    target: [0],
    limit: [2],
    source: [3, 9],
    label: [5, 6, 10],
    force: [7],
    onConflict: [8],
  });
});

test("points nowhere if the line may hold a secret, and never repeats it", () => {
  const { specs } = fixture("files purge");
  const line = read("--password hunter2 --password hunter3 --wrong", specs);
  expect(line.words.size).toBe(0);
  expect(line.violations).toEqual([
    { argument: "--password", message: "takes one value and is given twice" },
    { argument: "--wrong", message: unknown },
  ]);
});

test("refuses to take --dry-run as the value of a forgotten argument", () => {
  expect(read("--folder --dry-run")).toMatchObject({ values: {}, reserved: {} });
});

test("a word after the last positional is unexpected, unless that one repeats", () => {
  const specs = taking({ one: z.string(), two: z.string() }, ["one", "two"]).specs;
  expect(read("a b c", specs)).toMatchObject({
    values: { one: "a", two: "b" },
    violations: [{ argument: "c", message: "is one word too many", word: 2 }],
  });
});

test.each([
  ["a", { sources: ["a"] }],
  ["a /to", { sources: ["a"], target: "/to" }],
  ["a b c /to", { sources: ["a", "b", "c"], target: "/to" }],
  ["a --deep b /to", { sources: ["a", "b"], target: "/to", deep: true }],
  ["--deep a b -- --c /to", { sources: ["a", "b", "--c"], target: "/to", deep: true }],
])("if the first positional repeats, the last word is still the target: %s", (line, values) => {
  const shape = { sources: z.array(z.string()), target: z.string().optional(), deep: z.boolean() };
  const { specs } = taking(shape, ["sources", "target"]);
  expect(read(line, specs)).toMatchObject({ values, violations: [] });
});

test("words around a positional that repeats keep their places", () => {
  const shape = { first: z.string(), many: z.array(z.string()), last: z.string() };
  const { specs } = taking(shape, ["first", "many", "last"]);
  expect(read("a b", specs).values).toEqual({ first: "a", many: ["b"] });
  expect(read("a b c", specs).values).toEqual({ first: "a", many: ["b"], last: "c" });
  expect(read("a b c d", specs).values).toEqual({ first: "a", many: ["b", "c"], last: "d" });
});

test("an argument that is really called no-… is not the opposite of another", () => {
  const specs = taking({ noEmail: z.boolean(), email: z.boolean() }).specs;
  expect(read("--no-email", specs).values).toEqual({ noEmail: true });
  expect(read("--no-no-email --email", specs).values).toEqual({ noEmail: false, email: true });
});

test("an argument may be called like a property that every object has", () => {
  const specs = taking({ constructor: z.string(), toString: z.array(z.string()) }).specs;
  expect(read("--constructor a --to-string b --to-string c", specs)).toMatchObject({
    values: { constructor: "a", toString: ["b", "c"] },
    violations: [],
  });
});

test("says once that an argument is deprecated, however it is given", () => {
  expect([...read("--folder x --folder y").notices]).toEqual(["--folder is deprecated: use --target"]);
  const specs = taking({ old: z.string().meta({ deprecation: "leave it out" }) }, ["old"]).specs;
  expect([...read("x", specs).notices]).toEqual(["<old> is deprecated: leave it out"]);
});

const shape = {
  text: z.string(),
  amount: z.number(),
  count: z.int(),
  isOpen: z.boolean(),
  texts: z.array(z.string()),
  numbers: z.array(z.number()),
};
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string().map((rest) => `--${rest}`),
  fc.constantFrom("-", "--", "-f", "--dry-run", "=", "true", "5", "", " ", "\n"),
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const values = fc.record(
  {
    text,
    amount: number,
    count: fc.maxSafeInteger(),
    isOpen: fc.boolean(),
    texts: fc.array(text, { minLength: 1 }),
    numbers: fc.array(number, { minLength: 1 }),
  },
  { requiredKeys: [] },
);

test("values printed as --name=value are read back as they were", () => {
  const { specs } = taking(shape);
  fc.assert(
    fc.property(values, (given) => {
      const line = specs.flatMap(({ name, flag }) => {
        const value: unknown = given[name as keyof typeof given];
        return value === undefined ? [] : [value].flat().map((one) => `--${flag}=${String(one)}`);
      });
      const { values: back, violations } = readArgumentLine(specs, line);
      expect(violations).toEqual([]);
      expect(back).toEqual(JSON.parse(JSON.stringify(given)));
    }),
    { numRuns: 1_000 },
  );
});

test("a long word after a dash is refused without reading all of it, and a long value is kept", () => {
  const long = "w".repeat(100_000);
  const { violations } = readArgumentLine(move, [`-${long}`]);
  expect(violations[0]).toMatchObject({ argument: "-w" });
  // One for each letter that was read: reading one moves all that follow.
  expect(violations.length).toBeLessThanOrEqual(100);
  expect(readArgumentLine(move, ["--folder", `-"${long}`]).values).toEqual({ folder: `-"${long}` });
  expect(readArgumentLine(move, [`--folder=-${long}`]).values).toEqual({ folder: `-${long}` });
  expect(readArgumentLine(move, [`-n${long}`]).values).toEqual({ limit: long });
});
