import { expect, test } from "vitest";
import { findLockProblems, type LockEntries } from "./lock/find-lock-problems.ts";

const integrity = `sha512-${"A".repeat(86)}==`;
const sound: LockEntries = {
  "": { version: "0.1.0" },
  "apps/cli": { version: "0.1.0", optionalDependencies: { tool: "1.0.0" } },
  "node_modules/@svc/cli": { resolved: "apps/cli", link: true },
  "node_modules/tool": { version: "1.0.0", integrity, optionalDependencies: { "tool-linux": "1.0.0" } },
  "node_modules/tool/node_modules/tool-linux": { version: "1.0.0", integrity },
};

test("passes packages with their digest, and workspaces", () => {
  expect(findLockProblems(sound)).toEqual([]);
});

test.for([
  ["no digest", { version: "1.0.0" }, "node_modules/planted: no SHA-512 integrity"],
  ["a weak digest", { version: "1.0.0", integrity: "sha1-x" }, "node_modules/planted: no SHA-512 integrity"],
  [
    "an address",
    { version: "1.0.0", integrity, resolved: "https://registry.example/planted.tgz" },
    "node_modules/planted: downloads from https://registry.example/planted.tgz",
  ],
  [
    "a binary of another system without an entry",
    { version: "1.0.0", integrity, optionalDependencies: { "planted-darwin": "1.0.0" } },
    "node_modules/planted: optional planted-darwin has no entry",
  ],
] as const)("finds %s", ([, planted, problem]) => {
  expect(findLockProblems({ ...sound, "node_modules/planted": planted })).toEqual([problem]);
});
