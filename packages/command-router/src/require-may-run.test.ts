import { expect, test } from "vitest";
import type { Affected, Effect } from "./command.ts";
import { type Runner, requireMayRun } from "./require-may-run.ts";

const person: Runner = { actorKind: "human", inSession: false, scopes: ["*"] };
const service: Runner = { ...person, actorKind: "service" };
const ai: Runner = { ...person, actorKind: "ai" };
const inSession: Runner = { ...person, inSession: true };

function mayRun(runner: Runner, effect: Effect, affects?: Affected): boolean {
  const command = {
    path: "things change",
    effect,
    scopes: ["things:write"],
    ...(affects ? { affects } : {}),
  };
  try {
    requireMayRun(command, runner);
    return true;
  } catch {
    return false;
  }
}

test("people and service accounts run everything that their scopes cover", () => {
  for (const runner of [person, service]) {
    expect(mayRun(runner, "destroy")).toBe(true);
    expect(mayRun(runner, "write", "access")).toBe(true);
    expect(mayRun({ ...runner, scopes: ["things:write"] }, "write", "credentials")).toBe(true);
    expect(mayRun({ ...runner, scopes: ["things:read"] }, "write")).toBe(false);
  }
});

test("AI members and AI sessions read and write, but neither destroy nor change who gets in", () => {
  for (const runner of [ai, inSession]) {
    expect(mayRun(runner, "read")).toBe(true);
    expect(mayRun(runner, "write")).toBe(true);
    expect(mayRun(runner, "destroy")).toBe(false);
    expect(mayRun(runner, "write", "access")).toBe(false);
    expect(mayRun(runner, "write", "credentials")).toBe(false);
  }
});

test("a refusal names the scope that is missing, or says whom to ask", () => {
  const command = {
    path: "tokens create",
    effect: "write",
    affects: "credentials",
    scopes: ["tokens:write"],
  } as const;
  expect(() => requireMayRun(command, { ...person, scopes: ["files:read"] })).toThrow(
    "This credential lacks the scope tokens:write.",
  );
  expect(() => requireMayRun(command, ai)).toThrow("AI members cannot change credentials.");
  expect(() => requireMayRun(command, ai)).toThrow(
    expect.objectContaining({ hint: "Ask a person to run `svc tokens create`." }),
  );
});
