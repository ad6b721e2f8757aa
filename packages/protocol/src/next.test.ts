import { expect, test } from "vitest";
import { pointTo, wordsOf } from "./next.ts";
import { ProblemError } from "./problem.ts";

test("a call becomes a line by one rule", () => {
  const next = {
    command: "search query",
    arguments: { query: ["two words", "--odd"], maxTokens: 5, explain: true, correct: false },
    workspace: "desk",
    dryRun: true as const,
  };
  expect(wordsOf(next)).toEqual([
    ...["search", "query", "--query=two words", "--query=--odd", "--max-tokens=5", "--explain=true"],
    ...["--no-correct", "--workspace=desk", "--dry-run"],
  ]);
});

test("people and programs are pointed to the same call", () => {
  expect(pointTo({ command: "files list", arguments: { folder: "/a b" } }, "to see it.")).toEqual({
    hint: "Run `svc files list '/a b'` to see it.",
    next: { command: "files list", arguments: { folder: "/a b" } },
  });
  expect(pointTo({ command: "members list", workspace: "desk" }, "to see who can.")).toEqual({
    hint: "Run `svc members list --workspace desk` to see who can.",
    next: { command: "members list", arguments: {}, workspace: "desk" },
  });
});

test("what is next for one caller is not said to another", () => {
  const cause = new Error("deep");
  const error = new ProblemError("not_found", "It is gone.", { hint: "Look.", next: "preview", cause });
  const violations = [{ argument: "path", message: "No." }];
  Object.assign(error, { violations, dependency: "model" });
  const next = { command: "files list", arguments: {} };
  const told = error.withNext(next);
  expect(told).toMatchObject({ code: "not_found", message: "It is gone.", hint: "Look.", next, cause });
  expect(told, "what was marked on it").toMatchObject({ violations, dependency: "model" });
  expect(told.stack).toBe(error.stack);
  expect(error.next).toBe("preview");
  expect(told.toProblem("r").next).toEqual(next);
  // Nobody can call a word.
  expect(error.toProblem("r")).not.toHaveProperty("next");
  expect(error.withNext(undefined).toProblem("r")).not.toHaveProperty("next");
});
