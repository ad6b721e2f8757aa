import type { AuditEntry } from "@svc/command-router/audit-entry";
import { expect, test } from "vitest";
import { boundedEntry } from "./bounded-entry.ts";

const entry: AuditEntry = {
  command: "files put",
  effect: "write",
  arguments: { path: "/a" },
  outcome: "committed",
};
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test("leaves a small entry alone", () => {
  expect(boundedEntry(entry)).toBe(entry);
});

test("cuts a long text and says how long it was", () => {
  const { arguments: args, cut } = boundedEntry({ ...entry, arguments: { body: "x".repeat(10_000) } });
  expect(args).toEqual({ body: `${"x".repeat(200)}… (10000 characters)` });
  expect(cut).toEqual({ bytes: 10_016, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test("does not cut a character in half", () => {
  const { arguments: args } = boundedEntry({ ...entry, arguments: { body: `x${"🌸".repeat(5_000)}` } });
  expect(String(args.body).isWellFormed()).toBe(true);
});

test("counts the changes and values that it leaves out", () => {
  const changes = Array.from({ length: 500 }, (_, index) => ({
    action: "create" as const,
    type: "file",
    name: `${index}`,
  }));
  const values = Array.from({ length: 500 }, (_, index) => index);
  const bounded = boundedEntry({ ...entry, arguments: { values }, changes });
  expect(bounded.changes).toHaveLength(20);
  expect(bounded.moreChanges).toBe(480);
  expect(bounded.arguments.values).toHaveLength(21);
  expect((bounded.arguments.values as unknown[]).at(-1)).toBe("… 480 more");
});

test.each([
  ["many long texts", Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`a${i}`, "語".repeat(900)]))],
  ["long names", Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`${i}${"語".repeat(900)}`, 1]))],
  ["deep values", { a: Array(9).fill(Array(9).fill(Array(9).fill("語".repeat(300)))) }],
])("%s fit as well", (_, args) => {
  expect(bytesOf(boundedEntry({ ...entry, arguments: args }))).toBeLessThan(4_000);
});
