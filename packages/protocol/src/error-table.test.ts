import { expect, test } from "vitest";
import { errorCodes, errorTable } from "./error-table.ts";
import { exitCode } from "./exit-code.ts";

const entries = Object.entries(errorTable);

test.each(entries)("%s has an HTTP status, an exit code with a name, and a title", (code, entry) => {
  expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(entry.status).toBeGreaterThanOrEqual(400);
  expect(entry.status).toBeLessThan(600);
  expect(Object.values(exitCode)).toContain(entry.exitCode);
  expect(entry.title).toMatch(/^[A-Z].*[^.]$/);
});

test.each(entries)(
  "the exit code of %s is of the decade that its status tells",
  (_, { status, exitCode: code }) => {
    const isAboutTheCaller = status === 401 || status === 403;
    const isAboutTheService = status >= 500 || status === 429;
    expect(Math.floor(code / 10)).toBe(isAboutTheCaller ? 1 : isAboutTheService ? 3 : 2);
  },
);

test("the contract's codes have their status and exit code", () => {
  expect(Object.fromEntries(entries.map(([code, entry]) => [code, entry.exitCode]))).toMatchObject({
    unauthenticated: 10,
    not_permitted: 12,
    usage: 20,
    not_found: 21,
    conflict: 22,
    too_large: 23,
    confirmation_required: 24,
    unavailable: 30,
    too_many_requests: 31,
    timeout: 32,
    internal: 33,
  });
});

test("an error never exits with 0, nor looks like a failed check", () => {
  for (const code of errorCodes) expect([0, 60, 130]).not.toContain(errorTable[code].exitCode);
});

test("no two names share an exit code", () => {
  expect(new Set(Object.values(exitCode)).size).toBe(Object.keys(exitCode).length);
});
