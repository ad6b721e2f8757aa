import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCatalog } from "@svc/command-router/catalog";
import ts from "typescript";
import { expect, test } from "vitest";

const catalog = await loadCatalog(join(import.meta.dirname, "../../backend/src/features"));
const groups = new Set(catalog.commands.map(({ group }) => group));
const pairs = catalog.commands.map(({ path }) => path).filter((path) => path.includes(" "));
const sources = globSync("**/*.ts", { cwd: import.meta.dirname, exclude: ["**/*.test.ts"] });

/** Each string in a source file: what a program prints, sends or compares with. */
function textsOf(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    // A type is gone when the program runs, and an import names a file.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      texts.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest));
  return texts;
}

function trespasses(source: string): string[] {
  return textsOf(source).flatMap((text) => {
    const words = text.split(/\s+/).join(" ");
    const paths = [...text.matchAll(/\/(?:api|mcp|releases|healthz|readyz|metrics|openapi)\b[\w/.-]*/g)].map(
      String,
    );
    return [
      ...(groups.has(text.trim()) ? [text] : []),
      ...pairs.filter((pair) => new RegExp(`\\b${pair}\\b`).test(words)),
      ...[...words.matchAll(/\bsvc ([\w-]+)/g)].flatMap(([whole, word = ""]) =>
        groups.has(word) ? [whole] : [],
      ),
      ...paths.filter((path) => path !== "/api/v1/cli" && path !== "/api/v1/context"),
    ];
  });
}

test.each([
  ["a group", 'if (argv[0] === "files") confirm();', ["files"]],
  ["a command", "say(`Try svc files list first`);", ["files list", "svc files"]],
  ["a command in parts", 'say("go on with operations  undo " + id);', ["operations undo"]],
  ["another address", 'await service.fetch("/api/v1/search");', ["/api/v1/search"]],
])("%s planted in a source is found", (_what, source, found) => {
  expect(trespasses(source)).toEqual(found);
});

test("svc holds no command of the server, and knows two addresses", () => {
  expect(groups.size).toBeGreaterThan(8);
  expect(sources.length).toBeGreaterThan(30);
  const found = sources.map((file) => [
    file,
    trespasses(readFileSync(join(import.meta.dirname, file), "utf8")),
  ]);
  expect(found.filter(([, texts]) => texts?.length)).toEqual([]);
});

test("svc stays small: 3,750 lines at most", () => {
  const lines = sources.map(
    (file) => readFileSync(join(import.meta.dirname, file), "utf8").split("\n").length - 1,
  );
  expect(lines.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(3_750);
});
