import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

interface Page {
  items: { name: string; path: string }[];
  nextCursor?: string;
}

test("lists folders first, then files, each by name, page by page", async ({ town }) => {
  for (const folder of ["/zoo", "/ant"]) await town.run(["files", "mkdir", folder]);
  for (const file of ["/b.txt", "/a.txt", "/zoo/inside.txt"]) await town.put(file, file);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await town.run<Page>(["files", "list", "-n", "1", ...(cursor ? ["--cursor", cursor] : [])]);
    names.push(...page.items.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor);
  expect(names).toEqual(["ant", "zoo", "a.txt", "b.txt"]);
});

test("lists everything below with --recursive, by path from the folder, page by page", async ({ town }) => {
  await town.putFolder("files put ./t /", { "a/b/1.txt": "1", "a/2.txt": "2", "a b.txt": "3", "z/": "" });
  await town.run("files mkdir /t/hidden");
  await town.put("/t/hidden/x.txt", "x");
  await town.run("access restrict /t/hidden");
  const gus = town.as(await town.person("Gus", "viewer"));
  const shown: string[] = [];
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? [] : ["--cursor", cursor];
    const page = await gus.run<Page>(["files", "list", "/t", "-r", "-n", "2", ...more]);
    shown.push(...page.items.map(({ name, path }) => `${name} ${path}`));
    cursor = page.nextCursor;
  } while (cursor);
  const names = ["a", "a/2.txt", "a/b", "a/b/1.txt", "a b.txt", "z"];
  expect(shown).toEqual(names.map((name) => `${name} /t/${name}`));
});

test("leaves out what the caller cannot see, and shows only the name of a folder on the way to something they can", async ({
  town,
}) => {
  await town.run("files mkdir /board");
  await town.run("files mkdir /board/open");
  await town.put("/board/secret.txt", "secret");
  await town.put("/board/open/news.txt", "news");
  await town.run("access restrict /board");
  const guest = await town.person("Gus", "viewer");
  expect(await town.as(guest).tree()).toEqual([]);
  await town.run(`access grant /board/open ${town.tenant.addressOf("Gus")}`);
  expect(await town.as(guest).tree()).toEqual(["/board/", "/board/open/", "/board/open/news.txt"]);
  expect((await town.as(guest).type("files cat /board/secret.txt")).body.code).toBe("not_found");
});

test("a forged cursor opens nothing and causes no failure", async ({ town }) => {
  await town.put("/a.txt", "a");
  for (const cursor of ["x", "/", "file/", "folder/zzz' or true"]) {
    expect((await town.type(["files", "list", "--cursor", cursor])).status).toBe(200);
  }
});

test("refuses a file, and a path that does not exist", async ({ town }) => {
  await town.put("/a.txt", "a");
  expect((await town.type("files list /a.txt")).body.code).toBe("conflict");
  expect((await town.type("files list /nowhere")).body.code).toBe("not_found");
});
