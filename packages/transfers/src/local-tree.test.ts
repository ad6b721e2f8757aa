import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deepestPath } from "@svc/protocol/manifest";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LocalTree } from "./local-tree.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-tree-"));
});
afterEach(() => rm(folder, { recursive: true }));

const announce = () => LocalTree.ofFolder(folder, () => true);

test("a folder is announced as deep as the service takes it; what is deeper is named, with what to do", async () => {
  const deepest = join(folder, ...Array<string>(deepestPath - 1).fill("a"));
  await mkdir(deepest, { recursive: true });
  await writeFile(join(deepest, "x.txt"), "x");
  const { entries } = await announce();
  expect(entries.at(-1)?.line[0].split("/")).toHaveLength(deepestPath);
  await mkdir(join(deepest, "b"));
  await writeFile(join(deepest, "b", "y.txt"), "y");
  await expect(announce()).rejects.toMatchObject({
    kind: "tooLarge",
    message: `What is in \`${join(deepest, "b")}\` would be in more than 63 folders, one in another.`,
    hint: "Nothing was sent. Move that folder elsewhere, and send it by itself.",
  });
});

test.each([
  [{ mostFiles: 2 }, "has more than 2 files, which is the limit of one upload."],
  [{ mostEntries: 4 }, "has more than 4 files and folders, which is the limit of one upload."],
  [{ longestPath: 6 }, "has more than 6 bytes."],
])("a folder above the limit of %j is refused while it is read", async (limit, message) => {
  const limits = { mostFiles: 3, mostEntries: 5, deepestPath: 2, longestPath: 7 };
  await mkdir(join(folder, "in"));
  await mkdir(join(folder, "no"));
  for (const name of ["a", "b", "in/long"]) await writeFile(join(folder, name), "x");
  expect((await LocalTree.ofFolder(folder, () => true, limits)).entries).toHaveLength(5);
  await expect(LocalTree.ofFolder(folder, () => true, { ...limits, ...limit })).rejects.toMatchObject({
    kind: "tooLarge",
    message: expect.stringContaining(message),
    hint: expect.stringMatching(/^Nothing was sent\. /),
  });
});
