import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { syncAll } from "./sync-disk.ts";

let folder: string;
let paths: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-sync-"));
  paths = Array.from({ length: 20 }, (_, index) => join(folder, String(index)));
  for (const path of paths) await writeFile(path, "x");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test.for([
  ["together", "/usr/bin:/bin"],
  ["one by one without the program", "/nowhere"],
])("syncs many %s", async ([, path]) => {
  vi.stubEnv("PATH", path);
  await expect(syncAll(folder, paths)).resolves.toBeUndefined();
});

test("fails if there is nothing to sync", async () => {
  await expect(syncAll(join(folder, "gone"), paths)).rejects.toThrow();
  vi.stubEnv("PATH", "/nowhere");
  await expect(syncAll(folder, [...paths, join(folder, "gone")])).rejects.toThrow("ENOENT");
});
