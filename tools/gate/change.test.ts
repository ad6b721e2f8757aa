import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { changedSince, fileAt, findBase } from "./change.ts";

const folders: string[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-change-"));
  folders.push(folder);
  git("init", "--quiet", "--initial-branch=main");
});
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true });
});

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
}

function commit(file: string, date: string): string {
  writeFileSync(join(folder, file), `${date}\n`);
  git("add", file);
  const author = ["-c", "user.name=Rin", "-c", "user.email=rin@example.com"];
  execFileSync("git", [...author, "commit", "--quiet", "--message", file], {
    cwd: folder,
    env: { ...process.env, GIT_COMMITTER_DATE: date },
  });
  return git("rev-parse", "HEAD");
}

const longAgo = "2020-01-01T00:00:00Z";
const future = "2099-01-01T00:00:00Z";

test("the commit that SVC_BASE names comes first, and must exist", () => {
  const first = commit("a", longAgo);
  commit("b", future);
  expect(findBase({ given: first.slice(0, 8), folder })).toEqual({ commit: first, name: "SVC_BASE" });
  expect(() => findBase({ given: "gone", folder })).toThrow("SVC_BASE names no commit: gone");
});

test("then the merge base with the remote's main", () => {
  const first = commit("a", future);
  git("update-ref", "refs/remotes/origin/main", first);
  commit("b", future);
  expect(findBase({ folder })).toEqual({ commit: first, name: "the remote's main" });
});

test("on the remote's main itself the newest commit older than a day", () => {
  const first = commit("a", longAgo);
  const second = commit("b", future);
  git("update-ref", "refs/remotes/origin/main", second);
  expect(findBase({ folder })).toEqual({ commit: first, name: "the newest commit older than a day" });
});

test("without any of them there is none", () => {
  commit("a", future);
  expect(findBase({ folder })).toBeUndefined();
});

test("files differ if they are committed, changed, new or renamed since", () => {
  const first = commit("a", longAgo);
  commit("b", longAgo);
  git("mv", "a", "c");
  writeFileSync(join(folder, "d"), "");
  expect(changedSince(first, folder).toSorted()).toEqual(["a", "b", "c", "d"]);
  expect(fileAt(first, "a", folder)).toBe(longAgo);
  expect(fileAt(first, "b", folder)).toBeUndefined();
});
