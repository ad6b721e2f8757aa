import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "..");

/** Files that promise milliseconds or memory, at night beside a baseline, and why they must. */
const exceptions: Record<string, string> = {
  "apps/backend/src/platform/blobs/blob-store.test.ts": "contents stream through a store without being held",
  "apps/backend/src/platform/process/collect-blocks.test.ts": "blocks of contents are freed as they pass",
  "apps/backend/src/surfaces/transfers/transfers.test.ts": "uploads and downloads stream without being held",
  "apps/backend/tests/hostile/hostile-documents.faults.test.ts": "others are answered while a text is put",
  "apps/backend/tests/hostile/hostile-puts.faults.test.ts":
    "hostile files cost about what harmless ones cost",
};

const clocks = new Set([
  "performance.now",
  "process.hrtime",
  "process.memoryUsage",
  "Math.random",
  "vi.waitFor",
]);
const sleeps = new Set(["sleep", "setTimeout", "delay", "timers.setTimeout"]);
const words = /\b(VmHWM|VmRSS|RetainedMemory|Stopwatch|arrayBuffers|heapUsed)\b/;
/** A busy machine keeps no shorter one. */
const shortestPollMillis = 60_000;

/** What in a test file depends on the clock, the memory of the process or luck, outside of tests tagged `nightly`. */
function clocksIn(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const tell = (node: ts.Node, what: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push(`${path}:${line + 1} ${what}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isCallExpression(node)) {
      if (isNightly(node, source)) return;
      const callee = node.expression.getText(source);
      const name = callee.replace(/\.bigint$/, "");
      if (clocks.has(name)) tell(node, name);
      if (sleeps.has(name) && ts.isAwaitExpression(node.parent)) tell(node, "sleeps");
      if (callee === "expect.poll" || callee === "waitUntil") shortPolls(node);
    }
    if (ts.isIdentifier(node) && words.test(node.text)) tell(node, node.text);
    if (ts.isStringLiteralLike(node) && words.test(node.text)) tell(node, node.text);
    ts.forEachChild(node, visit);
  };
  const shortPolls = (call: ts.CallExpression): void => {
    const options = call.arguments[1];
    if (!options || !ts.isObjectLiteralExpression(options)) return;
    for (const property of options.properties) {
      if (!ts.isPropertyAssignment(property) || property.name.getText(source) !== "timeout") continue;
      const millis = Number(property.initializer.getText(source).replaceAll("_", ""));
      if (millis < shortestPollMillis) tell(property, `polls for ${millis} ms`);
    }
  };
  visit(source);
  return found;
}

/** A test, a group or a test for each case, whose options have the tag. */
function isNightly(call: ts.CallExpression, source: ts.SourceFile): boolean {
  return call.arguments.some(
    (argument) =>
      ts.isObjectLiteralExpression(argument) &&
      argument.properties.some(
        (property) =>
          ts.isPropertyAssignment(property) &&
          property.name.getText(source) === "tags" &&
          property.initializer.getText(source).includes('"nightly"'),
      ),
  );
}

const files = globSync("{apps,packages,tools}/**/*.test.ts", {
  cwd: repository,
  exclude: ["**/node_modules/**"],
});

test("no test of the gate depends on the clock, on memory or on luck", () => {
  const found = files
    .filter((path) => path !== "tools/no-clock.test.ts")
    .flatMap((path) => clocksIn(path, readFileSync(resolve(repository, path), "utf8")));
  expect(found).toEqual([]);
});

test("at most ten files promise milliseconds or memory, each with a reason", () => {
  const nightly = files.filter((path) => {
    if (path === "tools/no-clock.test.ts") return false;
    const text = readFileSync(resolve(repository, path), "utf8");
    return clocksIn(path, text.replaceAll('"nightly"', '"gate"')).length > 0;
  });
  expect(nightly.filter((path) => exceptions[path] === undefined)).toEqual([]);
  expect(Object.keys(exceptions).filter((path) => !nightly.includes(path))).toEqual([]);
  expect(nightly.length).toBeLessThanOrEqual(10);
});

describe("finds", () => {
  test.for([
    [
      "a bound in milliseconds",
      "test('x', () => { const t = performance.now(); expect(performance.now() - t).toBeLessThan(5); })",
      2,
    ],
    ["a sleep", "test('x', async () => { await setTimeout(200); })", 1],
    ["luck", "const n = Math.random();", 1],
    ["memory", "expect(process.memoryUsage().rss).toBeLessThan(1)", 1],
    ["a short poll", "await expect.poll(f, { timeout: 5_000 }).toBe(1)", 1],
    ["a poll of a second", "await vi.waitFor(f)", 1],
    [
      "nothing in a test of the nightly run",
      "test('x', { tags: ['nightly'] }, () => performance.now())".replaceAll("'", '"'),
      0,
    ],
  ] as const)("%s", ([, text, count]) => {
    expect(clocksIn("a.test.ts", text)).toHaveLength(count);
  });
});
