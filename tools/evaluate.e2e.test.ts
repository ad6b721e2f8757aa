import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { collectionNames } from "./evaluate/collection.ts";

const repository = resolve(import.meta.dirname, "..");
const small = ["med", "xquad_zh"];
const there = collectionNames(join(repository, "..", "shared", "relevance"));

/** The whole set takes minutes; these two, one of words and one of characters, also show a drop. */
test.skipIf(!small.every((name) => there.includes(name)))(
  "answers are as good as they were",
  { timeout: 600_000 },
  () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["tools/evaluate.ts", "fulltext", ...small],
      { cwd: repository, encoding: "utf8" },
    );
    expect(stdout, stderr).toContain("xquad_zh, nDCG@10, at least");
    expect(stdout).not.toContain("MISSED");
    expect(status).toBe(0);
  },
);
