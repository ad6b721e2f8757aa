import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeNew } from "./received-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-received-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a file is never written over another one that has its name on this machine", async () => {
  const path = join(folder, "a.txt");
  writeNew(path, Buffer.from("A.txt"));
  expect(() => writeNew(path, Buffer.from("a.txt"))).toThrow(/are both `a.txt` on this machine/);
  expect(await readFile(path, "utf8")).toBe("A.txt");
});
