import { ProblemError } from "@svc/protocol/problem";
import { expect, test } from "vitest";
import { z } from "zod";
import { taking } from "../../testing/fixture-catalog.ts";
import { nextOfLine } from "./next-of-line.ts";

const write = taking({ target: z.string(), onlyIfEmpty: z.boolean().optional() }, ["target"]);
const runner = { actorKind: "human", inSession: false, scopes: ["*"], commands: undefined } as const;
const around = { commands: [write], runner };
const next = (...words: string[]) =>
  nextOfLine(new ProblemError("invalid_arguments", "No."), ["things", "do", ...words], around);

test.each([
  ["--force", "a"],
  ["a", "--recursive"],
  ["--yes", "--force", "a"],
  ["--Force", "--", "a"],
])("%s %s: what asks for more than the command does is left out", (...words) => {
  expect(next(...words)).toEqual({ command: "things do", arguments: { target: "a" }, dryRun: true });
});

test.each([
  ["--zzz", "a"],
  ["--force=false", "a"],
  ["--no-force", "a"],
  ["--force=only", "a"],
])("%s %s: nothing else is", (...words) => expect(next(...words)).toBeUndefined());
