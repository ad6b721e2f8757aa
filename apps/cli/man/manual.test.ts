import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exitCode } from "@svc/protocol/exit-code";
import { localVerbNames } from "@svc/protocol/local-verbs";
import { expect, test } from "vitest";
import { variables } from "../src/environment.ts";
import { localHelp } from "../src/local-help.ts";

const manual = readFileSync(join(import.meta.dirname, "svc.1"), "utf8");

test("the manual lists every exit code, and no other", () => {
  const section = manual.slice(manual.indexOf(".Sh EXIT STATUS"), manual.indexOf(".Sh EXAMPLES"));
  const codes = [...section.matchAll(/^\.It (\d+)$/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(exitCode));
});

test("the manual lists every variable", () => {
  const named = [...manual.matchAll(/^\.It Ev (.+)$/gm)].flatMap(([, names = ""]) => names.split(" , "));
  expect(named).toEqual(expect.arrayContaining(variables.map(({ name }) => name)));
});

test("the manual lists every local verb and every flag", () => {
  const words = localHelp()
    .split("\n")
    .slice(1)
    .flatMap((line) => line.trim().split(/ {2,}/)[0]?.split(" ") ?? []);
  const [flags, verbs] = [
    words.filter((word) => word.startsWith("-")),
    words.filter((word) => !word.startsWith("-")),
  ];
  expect(verbs.toSorted()).toEqual([...localVerbNames].toSorted());
  for (const word of verbs) expect(manual).toMatch(new RegExp(`^\\.It Cm .*\\b${word}\\b`, "m"));
  for (const flag of flags) expect(manual).toMatch(new RegExp(`^\\.It Fl ${flag.slice(1)}(?: |$)`, "m"));
});
