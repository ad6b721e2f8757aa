import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { afterEach, expect, test, vi } from "vitest";
import { standardTerminal } from "./terminal.ts";

/** Each takes milliseconds to load, and streams with it: with all of them, a remembered completion took half as long again. */
const heavy = ["crypto", "child_process", "http", "https", "net", "readline", "stream", "tls", "tty", "zlib"];

/** Everything that is loaded with a file, whether it is used or not. */
function loadedWith(file: string, found = new Map<string, string>()): Map<string, string> {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const { moduleSpecifier } = statement;
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || isOfTypes(statement)) continue;
    const [, name, path] = /^@svc\/([\w-]+)\/(.+)$/.exec(moduleSpecifier.text) ?? [];
    const own = moduleSpecifier.text.startsWith(".")
      ? join(dirname(file), moduleSpecifier.text)
      : name && join(import.meta.dirname, "../../../packages", name, "src", `${path}.ts`);
    const key = own || moduleSpecifier.text;
    if (found.has(key)) continue;
    found.set(key, file);
    if (own) loadedWith(own, found);
  }
  return found;
}

function isOfTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const { importClause } = statement;
  if (!importClause) return false;
  const { namedBindings, name } = importClause;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const isNamed = namedBindings !== undefined && ts.isNamedImports(namedBindings);
  return !name && isNamed && namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

test.each(["run-here.ts", "completion/complete.ts"])("%s loads nothing heavy at the start", (entry) => {
  const loaded = loadedWith(join(import.meta.dirname, entry));
  expect(loaded.size).toBeGreaterThan(20);
  expect([...loaded].filter(([name]) => heavy.some((each) => name === `node:${each}`))).toEqual([]);
});

afterEach(() => vi.restoreAllMocks());

test("the terminal asks for no stream before somebody wants to know what it is", () => {
  const asked = (["stdin", "stdout", "stderr"] as const).map((name) => vi.spyOn(process, name, "get"));
  const terminal = standardTerminal({});
  expect(asked.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  expect(terminal.isWatched).toBe(process.stderr.isTTY === true);
  expect(asked[2]?.mock.calls.length).toBeGreaterThan(0);
});
