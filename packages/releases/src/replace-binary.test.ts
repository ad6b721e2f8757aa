import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { releaseFolder } from "./fetch-release.ts";
import { type Installation, locate, refuseForeign } from "./installation.ts";
import { replaceBinary, swapBinaries } from "./replace-binary.ts";
import { removeLeftovers, temporaryName } from "./temporary-files.ts";

let folder: string;
let svc: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-replace-"));
  svc = join(folder, "svc");
  writeFileSync(svc, "one");
});
afterEach(() => rmSync(folder, { recursive: true }));

const content = () =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));

function withReplacement(installation: Installation, text: string): string {
  const path = temporaryName(installation);
  writeFileSync(path, text);
  return path;
}

test.each([
  [false, "svc.prev"],
  [true, "svc.prev.exe"],
])("replaces, goes back and forth (on Windows: %s)", (isWindows, previous) => {
  const installation = locate("svc", svc, isWindows);
  replaceBinary(installation, withReplacement(installation, "two"));
  expect(content()).toEqual({ svc: "two", [previous]: "one" });
  replaceBinary(installation, withReplacement(installation, "three"));
  removeLeftovers(installation);
  expect(content()).toEqual({ svc: "three", [previous]: "two" });
  swapBinaries(installation);
  removeLeftovers(installation);
  expect(content()).toEqual({ svc: "two", [previous]: "three" });
  swapBinaries(installation);
  removeLeftovers(installation);
  expect(content()).toEqual({ svc: "three", [previous]: "two" });
});

test("on Windows the old one is restored if the new one cannot be placed", () => {
  const installation = locate("svc", svc, true);
  expect(() => replaceBinary(installation, join(folder, "missing"))).toThrow("ENOENT");
  expect(content()).toEqual({ svc: "one" });
});

test("leaves nothing behind if svc and its previous version are the same file", () => {
  const installation = locate("svc", svc);
  linkSync(svc, installation.previous);
  swapBinaries(installation);
  expect(content()).toEqual({ svc: "one", "svc.prev": "one" });
  replaceBinary(installation, withReplacement(installation, "two"));
  expect(content()).toEqual({ svc: "two", "svc.prev": "one" });
});

test("removes the leftovers of a killed update, and nothing of a running one", () => {
  const installation = locate("svc", svc);
  // No process has this pid: it is above the maximum.
  const [left, running] = [`.svc-update-4194305-abc`, `.svc-update-${process.ppid}-abc`];
  for (const name of [left, running]) writeFileSync(join(folder, name), "");
  removeLeftovers(installation);
  expect(existsSync(join(folder, left))).toBe(false);
  expect(existsSync(join(folder, running))).toBe(true);
});

test("leaves files alone that a package manager owns", () => {
  const at = (path: string): Installation => ({
    product: "svc",
    path,
    folder,
    previous: "",
    isWindows: false,
  });
  const places: Record<string, string> = {
    "/usr/lib/node_modules/svc/bin/svc": "npm update --global svc",
    "/nix/store/abc-svc-1.0.0/bin/svc": "nix profile upgrade svc",
    "/opt/homebrew/Cellar/svc/1.0.0/bin/svc": "brew upgrade svc",
    "C:\\Users\\a\\scoop\\apps\\svc\\current\\svc.exe": "scoop update svc",
  };
  for (const [path, command] of Object.entries(places)) {
    expect(() => refuseForeign(at(path))).toThrow(
      expect.objectContaining({ kind: "updateRefused", hint: `Update it there: ${command}` }),
    );
  }
  expect(() => refuseForeign(at(svc))).not.toThrow();
});

test.runIf(existsSync("/usr/bin/dpkg-query"))("also files of a system package", () => {
  const installation = { product: "svc", path: "/usr/bin/dpkg", folder, previous: "", isWindows: false };
  expect(() => refuseForeign(installation)).toThrow("/usr/bin/dpkg is managed by the package dpkg");
});

test("says so if svc runs from source", () => {
  mkdirSync(join(folder, "bin"));
  const bun = join(folder, "bin/bun");
  writeFileSync(bun, "");
  chmodSync(bun, 0o755);
  expect(() => locate("svc", bun)).toThrow("runs from source");
});

test("releases are fetched over https only, even from this machine", () => {
  expect(releaseFolder("https://releases.example/stable").href).toBe("https://releases.example/stable/");
  expect(() => releaseFolder("http://127.0.0.1:8080/")).toThrow("https only");
});
