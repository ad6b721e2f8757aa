import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";
import type { Person } from "../../../../testing/person.ts";

interface Page {
  items: { path: string; kind: string; size?: number; updatedAt: string }[];
  nextCursor?: string;
}

test("finds by a part of the name or by a glob of all of it, in any case", async ({ town }) => {
  await town.putFolder("files put ./docs /", {
    "Budget 2026.xlsx": "1",
    "old/budget.xlsx": "2",
    "old/BUDGET-Ärger.md": "3",
    "100%_sure.md": "4",
    "100 people sure.md": "5",
  });
  const find = (name: string) => pathsOf(town, ["/docs", "--name", name]);
  expect(await find("budget")).toEqual([
    "/docs/Budget 2026.xlsx",
    "/docs/old/BUDGET-Ärger.md",
    "/docs/old/budget.xlsx",
  ]);
  expect(await find("*.XLSX")).toEqual(["/docs/Budget 2026.xlsx", "/docs/old/budget.xlsx"]);
  expect(await find("budget.????")).toEqual(["/docs/old/budget.xlsx"]);
  expect(await find("budget?")).toEqual([]);
  expect(await find("ä")).toEqual(["/docs/old/BUDGET-Ärger.md"]);
  expect(await find("a\u0308rger")).toEqual(["/docs/old/BUDGET-Ärger.md"]);
  expect(await find("%_")).toEqual(["/docs/100%_sure.md"]);
  expect(await find("100*sure*")).toEqual(["/docs/100 people sure.md", "/docs/100%_sure.md"]);
  expect(await find("\\")).toEqual([]);
});

test("finds by type and size; a folder has no size", async ({ town }) => {
  await town.run("files mkdir /a");
  for (const size of [999, 1_000, 1_001]) await town.put(`/a/${size}.txt`, "x".repeat(size));
  expect(await pathsOf(town, ["--type", "folder"])).toEqual(["/a"]);
  expect(await pathsOf(town, ["--type", "file", "--name", "1*"])).toEqual(["/a/1000.txt", "/a/1001.txt"]);
  expect(await pathsOf(town, ["--larger", "1kB"])).toEqual(["/a/1001.txt"]);
  expect(await pathsOf(town, ["--smaller", "1000"])).toEqual(["/a/999.txt"]);
  expect(await pathsOf(town, ["--smaller", "1KiB", "--larger", "0.999k"])).toEqual([
    "/a/1000.txt",
    "/a/1001.txt",
  ]);
});

test("finds by the time of the last change", async ({ town }) => {
  await town.put("/early.txt", "1");
  await town.put("/late.txt", "2");
  const { updatedAt } = await town.run<{ updatedAt: string }>("files stat /late.txt");
  expect(await pathsOf(town, ["--changed-before", updatedAt])).toEqual(["/early.txt"]);
  expect(await pathsOf(town, ["--changed-after", updatedAt])).toEqual(["/late.txt"]);
  expect(await pathsOf(town, ["--changed-after", "2020-01-31"])).toEqual(["/early.txt", "/late.txt"]);
  expect(await pathsOf(town, ["--changed-before", "2020-01-31T10:00:00+02:00"])).toEqual([]);
});

test("goes through the tree in the order of paths, page by page, parents before children", async ({
  town,
}) => {
  await town.putFolder("files put ./t /", {
    "a/b/deep.txt": "1",
    "a/b/c/": "",
    "a/aa.txt": "2",
    "a/z.txt": "3",
    "a b.txt": "4",
    "a.txt": "5",
    "empty/": "",
    "z/1.txt": "6",
  });
  const all = [
    ...["/t", "/t/a", "/t/a/aa.txt", "/t/a/b", "/t/a/b/c", "/t/a/b/deep.txt", "/t/a/z.txt"],
    ...["/t/a b.txt", "/t/a.txt", "/t/empty", "/t/z", "/t/z/1.txt"],
  ];
  for (const limit of [1, 2, 5, 12, 200]) expect(await pathsOf(town, [], limit)).toEqual(all);
  expect(await pathsOf(town, ["/t/a/b"], 1)).toEqual(["/t/a/b/c", "/t/a/b/deep.txt"]);
  const files = all.filter((path) => path.endsWith(".txt"));
  for (const limit of [1, 4]) expect(await pathsOf(town, ["--name", "*.txt"], limit)).toEqual(files);
});

test("continues after the last path even if something on the way is gone by then", async ({ town }) => {
  await town.putFolder("files put ./t /", {
    "a/b/1.txt": "1",
    "a/b/2.txt": "2",
    "a/c.txt": "3",
    "d.txt": "4",
  });
  const { nextCursor } = await town.run<Page>("files find /t --name 1.txt*");
  expect(nextCursor).toBeUndefined();
  const first = await town.run<Page>("files find /t -n 3");
  expect(first.items.map(({ path }) => path)).toEqual(["/t/a", "/t/a/b", "/t/a/b/1.txt"]);
  const rest = async () => {
    const { items } = await town.run<Page>(["files", "find", "/t", "--cursor", first.nextCursor ?? ""]);
    return items.map(({ path }) => path);
  };
  expect(await rest()).toEqual(["/t/a/b/2.txt", "/t/a/c.txt", "/t/d.txt"]);
  await town.run("files delete /t/a/b/1.txt");
  expect(await rest()).toEqual(["/t/a/b/2.txt", "/t/a/c.txt", "/t/d.txt"]);
  await town.run("files move /t/a/b /");
  expect(await rest()).toEqual(["/t/a/c.txt", "/t/d.txt"]);
  await town.run("files delete /t/a");
  expect(await rest()).toEqual(["/t/d.txt"]);
});

test("finds nothing in folders that the caller cannot see, on any page", async ({ town }) => {
  await town.putFolder("files put ./t /", {
    "1.txt": "1",
    "board/hidden.txt": "2",
    "board/open/shared.txt": "3",
    "board/private/hidden.txt": "4",
    "board/single.txt": "5",
    "secret/hidden.txt": "6",
    "z.txt": "7",
  });
  for (const folder of ["/t/board", "/t/secret"]) await town.run(`access restrict ${folder}`);
  const gus = town.as(await town.person("Gus", "viewer"));
  for (const limit of [1, 2, 200])
    expect(await pathsOf(gus, ["/t"], limit)).toEqual(["/t/1.txt", "/t/z.txt"]);

  const address = town.tenant.addressOf("Gus");
  for (const path of ["/t/board/open", "/t/board/single.txt"])
    await town.run(`access grant ${path} ${address}`);
  const seen = [
    ...[
      "/t/1.txt",
      "/t/board",
      "/t/board/open",
      "/t/board/open/shared.txt",
      "/t/board/single.txt",
      "/t/z.txt",
    ],
  ];
  for (const limit of [1, 2, 200]) expect(await pathsOf(gus, ["/t"], limit)).toEqual(seen);
  expect(await pathsOf(gus, ["/t", "--name", "hidden"])).toEqual([]);
  expect(await pathsOf(gus, ["/t/board"])).toEqual(seen.slice(2, 5));

  const guest = town.as(await town.person("Ida"));
  await town.run(`access grant /t/board/open ${town.tenant.addressOf("Ida")}`);
  const way = ["/t", "/t/board", "/t/board/open", "/t/board/open/shared.txt"];
  for (const limit of [1, 2, 200]) expect(await pathsOf(guest, [], limit)).toEqual(way);
  expect((await guest.type("files find /t/secret")).body.code).toBe("not_found");
});

test("a forged cursor opens nothing and causes no failure", async ({ town }) => {
  await town.putFolder("files put ./t /", { "board/hidden.txt": "1", "z.txt": "2" });
  await town.run("access restrict /t/board");
  const gus = town.as(await town.person("Gus", "viewer"));
  const find = (cursor: string) => gus.type(["files", "find", "/t", "--cursor", cursor]);
  for (const path of [
    "board",
    "board/",
    "board/a",
    "board/hidden.txt",
    "nowhere/at/all",
    "../..",
    "a' or true",
  ]) {
    const { status, body } = await find(Buffer.from(path).toString("base64url"));
    expect(status).toBe(200);
    expect((body.data as Page).items.map((item) => item.path)).toEqual(["/t/z.txt"]);
  }
  for (const path of ["\0", "a/\0", "/".repeat(100)]) {
    expect((await find(Buffer.from(path).toString("base64url"))).body.code).toBe("invalid_arguments");
  }
  for (const cursor of ["x", "%%%", "ÿ"]) expect((await find(cursor)).status).toBe(200);
});

test("refuses a file, a folder that does not exist, and what is not a size or a day", async ({ town }) => {
  await town.put("/a.txt", "a");
  expect((await town.type("files find /a.txt")).body.code).toBe("conflict");
  expect((await town.type("files find /nowhere")).body.code).toBe("not_found");
  expect((await town.type("files find --larger huge")).body.detail).toContain("must be a size such as 500");
  expect((await town.type("files find --changed-after yesterday")).body.detail).toContain("must be a day");
});

/** The paths of all pages. */
async function pathsOf(person: Person, words: string[], limit = 200): Promise<string[]> {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? [] : ["--cursor", cursor];
    const page = await person.run<Page>(["files", "find", ...words, "-n", String(limit), ...more]);
    expect(page.items.length).toBe(page.nextCursor === undefined ? page.items.length : limit);
    paths.push(...page.items.map(({ path }) => path));
    if (paths.length > 100) throw new Error("pages do not end");
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return paths;
}
