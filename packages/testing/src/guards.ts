import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const marker = /^ *\/\/ guard: ([a-z-]+)$/;

/** Every `// guard: name` of the product, and the files that hold it. */
export function findGuards(repository: string): Map<string, string[]> {
  const sources = globSync("{apps,packages}/*/src/**/*.ts", {
    cwd: repository,
    exclude: (name) => name.endsWith(".test.ts"),
  });
  const guards = new Map<string, string[]>();
  for (const file of sources) {
    const lines = readFileSync(join(repository, file), "utf8").split("\n");
    for (const name of lines.flatMap((line) => marker.exec(line)?.[1] ?? [])) {
      guards.set(name, [...(guards.get(name) ?? []), file]);
    }
  }
  return guards;
}

/** Text before the statement below a marker, the statement itself, and the text after it. */
export function splitAtGuard(text: string, name: string): [before: string, statement: string, after: string] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => marker.exec(line)?.[1] === name) + 1;
  if (start === 0) throw new Error(`there is no \`// guard: ${name}\``);
  const end = endOfStatement(lines, start);
  return [lines.slice(0, start), lines.slice(start, end), lines.slice(end)].map((part) =>
    part.join("\n"),
  ) as [string, string, string];
}

/** All source is formatted: the lines of a statement are indented deeper than its first, or close it. */
function endOfStatement(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start] ?? "");
  let end = start + 1;
  while (lines[end] !== undefined) {
    const line = lines[end] ?? "";
    const continues = line === "" || indentOf(line) > indent;
    const closes = indentOf(line) === indent && /^ *[)}\]`]/.test(line);
    if (!continues && !closes) break;
    end += 1;
  }
  return end;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
