import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localCandidates } from "./local-candidates.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-candidates-"));
  await mkdir(join(folder, "reports"));
  await writeFile(join(folder, "report.pdf"), "");
  await writeFile(join(folder, ".hidden"), "");
  await writeFile(join(folder, "reports", "it's.md"), "");
  await symlink("reports", join(folder, "rlink"));
  await symlink("nowhere", join(folder, "rbroken"));
});
afterAll(() => rm(folder, { recursive: true }));

test("files and folders in the form that was typed", async () => {
  const found = (word: string) => localCandidates(word, { HOME: folder }, "./");
  expect(await found("~/re")).toEqual(["~/report.pdf", "~/reports/"]);
  expect(await found(`${folder}/reports/`)).toEqual([`${folder}/reports/it's.md`]);
  expect(await found(`file:${folder}/report.`)).toEqual([`file:${folder}/report.pdf`]);
  expect(await found("~/r")).toEqual(["~/rbroken", "~/report.pdf", "~/reports/", "~/rlink/"]);
  expect(await found("~/.h")).toEqual(["~/.hidden"]);
  expect(await found("~/")).not.toContain("~/.hidden");
  expect(await found("--source=~/report.")).toEqual(["--source=~/report.pdf"]);
  expect(await found("/no/such/folder/x")).toEqual([]);
});

test("a bare name gets a form that can be nothing else", async () => {
  expect(await localCandidates("vitest.conf", {}, "./")).toEqual(["./vitest.config.ts"]);
  expect(await localCandidates("vitest.conf", {}, "file:")).toEqual(["file:vitest.config.ts"]);
  expect(await localCandidates("./vitest.conf", {}, "file:")).toEqual(["./vitest.config.ts"]);
});
