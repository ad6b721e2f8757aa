import { globSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { expect, test } from "vitest";
import { findParts, findTests, partOf } from "./find-parts.ts";

const repository = resolve(import.meta.dirname, "../..");
const parts = findParts(repository);
const names = parts.map(({ name }) => name);

test.for([
  ["apps/backend/tests/agents/no-escape.faults.test.ts", "agents"],
  ["apps/backend/tests/agents/mcp-plants.faults.test.ts", "plants/mcp"],
  ["apps/backend/src/platform/text/hostile-files.faults.test.ts", "backend"],
  ["apps/cli/tests/transfers/many-files.faults.test.ts", "client"],
  ["apps/cli/src/update/killed-update.faults.test.ts", "client"],
  ["packages/embedding/src/providers/llama-server.faults.test.ts", "packages"],
  ["tools/attacks/lock-file.faults.test.ts", "tools"],
  ["apps/cli/src/output.e2e.test.ts", "e2e"],
  ["apps/backend/tests/catalog/words.test.ts", "units"],
] as const)("%s belongs to %s", ([file, part]) => {
  expect(partOf(file, "")).toBe(part);
});

test("a test tagged for the night moves its file from the shuffled units to its room", () => {
  const file = "apps/backend/tests/catalog/words.test.ts";
  expect(partOf(file, 'test("a", { tags: ["long", "nightly"] }, f);')).toBe("catalog");
  expect(partOf(file, 'test("a", { tags: ["quarantine"] }, f);')).toBe("catalog");
  expect(partOf(file, 'test("a", { tags: ["long"] }, f);')).toBe("units");
  expect(partOf(file, `const text = 'test("a", { tags: ["nightly"] }, f)';`)).toBe("units");
});

test("every test file is in exactly one part", () => {
  expect(parts.flatMap(({ files }) => files).toSorted()).toEqual(findTests(repository));
  const ofFaults = globSync("{apps,packages,tools}/**/*.faults.test.ts", {
    cwd: repository,
    exclude: ["**/node_modules/**"],
  });
  const units = parts.find(({ name }) => name === "units")?.files ?? [];
  expect(units.filter((file) => ofFaults.includes(file))).toEqual([]);
});

test("every bench and every evaluation is a part", () => {
  const named = (pattern: string) =>
    globSync(pattern, { cwd: repository }).map((file) => basename(file, ".ts"));
  const expected = [
    ...named("tools/benches/**/*.ts").map((bench) => (bench === "soak" ? "soak" : `bench/${bench}`)),
    ...named("tools/evaluations/**/*.ts").map((evaluation) => `evaluate/${evaluation}`),
    ...named("tools/agents/evaluations/**/*.ts").map((evaluation) => `agents-eval/${evaluation}`),
    "ha/prove",
  ];
  expect(expected.filter((name) => !names.includes(name))).toEqual([]);
});

test("no two parts have one name", () => {
  expect(names).toEqual([...new Set(names)]);
});

test("documents name only parts that exist", () => {
  const documents = globSync(["*.md", "docs/**/*.md"], { cwd: repository });
  const named = documents.flatMap((document) =>
    readFileSync(resolve(repository, document), "utf8")
      .matchAll(/test:nightly -- ([a-z][a-z/ -]*[a-z])/g)
      .flatMap(([, words = ""]) => words.split(" "))
      .toArray(),
  );
  expect(named).toContain("agents");
  const known = names.flatMap((name) => [name, name.split("/")[0]]);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
