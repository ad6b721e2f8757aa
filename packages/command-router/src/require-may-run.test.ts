import { expect, test } from "vitest";
import type { ForAgents } from "./command.ts";
import { type Runner, requireMayRun } from "./require-may-run.ts";

const person: Runner = { actorKind: "human", inSession: false, scopes: ["*"], commands: undefined };
const service: Runner = { ...person, actorKind: "service" };
const ai: Runner = { ...person, actorKind: "ai" };
const inSession: Runner = { ...person, inSession: true };

function mayRun(runner: Runner, agents: ForAgents): boolean {
  try {
    requireMayRun({ path: "things change", agents, scopes: ["things:write"] }, runner);
    return true;
  } catch {
    return false;
  }
}

test("people and service accounts run everything that their scopes cover", () => {
  for (const runner of [person, service]) {
    for (const agents of ["listed", "searchable", "never"] as const) {
      expect(mayRun(runner, agents)).toBe(true);
      expect(mayRun({ ...runner, scopes: ["things:write"] }, agents)).toBe(true);
      expect(mayRun({ ...runner, scopes: ["things:read"] }, agents)).toBe(false);
    }
  }
});

test("AI members and AI sessions run everything but what is never theirs", () => {
  for (const runner of [ai, inSession]) {
    expect(mayRun(runner, "listed")).toBe(true);
    expect(mayRun(runner, "searchable")).toBe(true);
    expect(mayRun(runner, "never")).toBe(false);
    expect(mayRun({ ...runner, scopes: ["things:read"] }, "listed")).toBe(false);
  }
});

test("a refusal names the scope that is missing, or says whom to ask", () => {
  const command = { path: "tokens create", agents: "never", scopes: ["tokens:write"] } as const;
  expect(() => requireMayRun(command, { ...person, scopes: ["files:read"] })).toThrow(
    "This credential lacks the scope tokens:write.",
  );
  expect(() => requireMayRun(command, ai)).toThrow("AI members cannot run `svc tokens create`.");
  expect(() => requireMayRun(command, ai)).toThrow(
    expect.objectContaining({ hint: "Ask a person to run it." }),
  );
});

test("a session runs only its commands and groups", () => {
  const run = (path: string) => () =>
    requireMayRun({ path, agents: "listed", scopes: [] }, { ...person, commands: ["files", "search query"] });
  for (const path of ["files list", "files", "search query"]) expect(run(path)).not.toThrow();
  for (const path of ["search log", "search", "filesystem list", "whoami"])
    expect(run(path)).toThrow(`This session cannot run \`svc ${path}\`.`);
});
