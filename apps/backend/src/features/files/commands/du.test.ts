import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";
import type { Person } from "../../../../testing/person.ts";

interface Page {
  items: { path: string; files: number; size: number }[];
  nextCursor?: string;
}

test("adds up everything below each folder, and ends with the total", async ({ town }) => {
  await town.putFolder("files put ./t /", {
    "top.txt": "x".repeat(1),
    "a/1.txt": "x".repeat(10),
    "a/b/2.txt": "x".repeat(100),
    "a/b/c/3.txt": "x".repeat(1_000),
    "z/": "",
  });
  expect(await usage(town, "/t")).toEqual(["/t/a 3 1110", "/t/z 0 0", "/t 4 1111"]);
  expect(await usage(town, "/t --depth 2")).toEqual([
    "/t/a 3 1110",
    "/t/a/b 2 1100",
    "/t/z 0 0",
    "/t 4 1111",
  ]);
  expect(await usage(town, "/t --depth 0")).toEqual(["/t 4 1111"]);
  expect(await usage(town, "")).toEqual(["/t 4 1111", "/ 4 1111"]);
  expect(await usage(town, "/t/z")).toEqual(["/t/z 0 0"]);
});

test("counts current versions only, and nothing in the trash", async ({ town }) => {
  await town.run("files mkdir /a");
  await town.put("/a/x.txt", "first, longer");
  await town.put("/a/x.txt", "second");
  await town.put("/a/gone.txt", "gone");
  await town.run("files delete /a/gone.txt");
  await town.run("files mkdir /old");
  await town.put("/old/y.txt", "old");
  await town.run("files delete /old");
  expect(await usage(town, "")).toEqual(["/a 1 6", "/ 1 6"]);
});

test("is the same page by page, with the total on the last one", async ({ town }) => {
  await town.putFolder("files put ./t /", { "a/b/1": "1", "a b/2": "2", "c/3": "3" });
  const all = ["/t/a 1 1", "/t/a/b 1 1", "/t/a b 1 1", "/t/c 1 1", "/t 3 3"];
  for (const limit of [1, 2, 5, 200]) expect(await usage(town, "/t --depth 5", limit)).toEqual(all);
});

test("counts only what the caller can see, and names no other folder", async ({ town }) => {
  await town.putFolder("files put ./t /", {
    "1.txt": "x",
    "board/hidden.txt": "x".repeat(10),
    "board/open/shared.txt": "x".repeat(100),
    "board/single.txt": "x".repeat(1_000),
    "secret/hidden.txt": "x".repeat(10_000),
  });
  for (const folder of ["/t/board", "/t/secret"]) await town.run(`access restrict ${folder}`);
  const gus = town.as(await town.person("Gus", "viewer"));
  expect(await usage(gus, "/t --depth 9")).toEqual(["/t 1 1"]);

  const address = town.tenant.addressOf("Gus");
  for (const path of ["/t/board/open", "/t/board/single.txt"])
    await town.run(`access grant ${path} ${address}`);
  const shared = ["/t/board 2 1100", "/t/board/open 1 100"];
  expect(await usage(gus, "/t --depth 9")).toEqual([...shared, "/t 3 1101"]);
  expect(await usage(gus, "/t/board")).toEqual(["/t/board/open 1 100", "/t/board 2 1100"]);

  const guest = town.as(await town.person("Ida"));
  await town.run(`access grant /t/board/open ${town.tenant.addressOf("Ida")}`);
  expect(await usage(guest, "")).toEqual(["/t 1 100", "/ 1 100"]);
  expect((await guest.type("files du /t/secret")).body.code).toBe("not_found");
});

test("refuses a file, and a forged cursor opens nothing", async ({ town }) => {
  await town.put("/a.txt", "a");
  expect((await town.type("files du /a.txt")).body.code).toBe("conflict");
  for (const cursor of ["x", "%%%", Buffer.from("a' or true/../").toString("base64url")]) {
    expect((await town.type(["files", "du", "--cursor", cursor])).status).toBe(200);
  }
});

/** The lines of all pages. */
async function usage(person: Person, words: string, limit = 200): Promise<string[]> {
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const line = `files du ${words} -n ${limit}${cursor === undefined ? "" : ` --cursor ${cursor}`}`;
    const page = await person.run<Page>(line.split(/ +/));
    lines.push(...page.items.map(({ path, files, size }) => `${path} ${files} ${size}`));
    if (lines.length > 100) throw new Error("pages do not end");
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return lines;
}
