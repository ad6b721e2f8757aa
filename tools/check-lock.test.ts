import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findLockProblems, findScriptProblems, type LockEntries } from "./lock/find-lock-problems.ts";

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

const scripted: LockEntries = {
  ...sound,
  "": { version: "0.1.0", hasInstallScript: true },
  "node_modules/tool/node_modules/@some/loader": { version: "1.0.0", integrity, hasInstallScript: true },
};

test.for([
  [{ "@some/loader": false }, []],
  [{}, ["@some/loader: its install script runs"]],
  [{ "@some/loader": true }, ["@some/loader: its install script runs"]],
  [
    { "@some/loader@1.0.0": true },
    [
      "@some/loader: its install script runs",
      "@some/loader@1.0.0: allowScripts names it, and it has no install script",
    ],
  ],
  [{ "@some/loader": false, gone: false }, ["gone: allowScripts names it, and it has no install script"]],
] as const)("with allowScripts %j finds the install scripts that run: %j", ([allowScripts, problems]) => {
  expect(findScriptProblems(scripted, allowScripts)).toEqual(problems);
});

test("no install script of a dependency runs, and npm refuses a new one", () => {
  const read = (name: string) => readFileSync(`${import.meta.dirname}/../${name}`, "utf8");
  const { packages } = JSON.parse(read("package-lock.json"));
  const { allowScripts } = JSON.parse(read("package.json"));
  expect(findScriptProblems(packages, allowScripts)).toEqual([]);
  expect(Object.keys(allowScripts)).toContain("bun");
  expect(read(".npmrc").split("\n")).toContain("strict-allow-scripts=true");
});
