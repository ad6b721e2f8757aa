import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { removeFolder } from "./remove-folder.ts";

const around = await mkdtemp(join(tmpdir(), "remove-folder-"));
const folder = join(around, "call");
afterAll(() => rm(around, { recursive: true }));
beforeEach(async () => {
  await mkdir(join(folder, "commit"), { recursive: true });
  await writeFile(join(folder, "commit", "attempt-1"), "");
  for (let count = 0; count < 50; count += 1) await writeFile(join(folder, `${count}`), "");
});

test("removes a folder with everything in it, and again without error", async () => {
  await removeFolder(folder);
  await removeFolder(folder);
  expect(await readdir(around)).toEqual([]);
});

test("two at once are not in each other's way", async () => {
  await Promise.all([removeFolder(folder), removeFolder(folder)]);
  expect(await readdir(around)).toEqual([]);
});

test("leaves what a link in it points to", async () => {
  const kept = join(around, "kept");
  await mkdir(kept);
  await writeFile(join(kept, "file"), "");
  await symlink(kept, join(folder, "link"));
  await removeFolder(folder);
  expect(await readdir(kept)).toEqual(["file"]);
  await rm(kept, { recursive: true });
});

test("removes a file in place of a folder", async () => {
  await removeFolder(join(folder, "1"));
  expect(await readdir(folder)).not.toContain("1");
});
