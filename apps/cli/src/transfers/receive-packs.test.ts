import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type PackEntry, packOf } from "../../testing/hostile-server.ts";
import { HostileWorld, offerFolder, sha256 } from "../../testing/hostile-world.ts";

let world: HostileWorld;
beforeEach(async () => {
  world = await HostileWorld.open();
});
afterEach(() => world.close());

const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.txt`);
const ownContent = (path: string) => `content of ${path}`;
const get = (...answers: unknown[]) => {
  world.server.willAnswer(...answers);
  return world.svc(["files", "get", "/box"]);
};
const here = async () => (await readdir(world.here, { recursive: true })).sort();
const saved = (path: string) => readFile(join(world.here, "box", path), "utf8");
const packRequests = () => requests("POST", "/folder").filter(({ url }) => !url.endsWith("/list"));
const requests = (method: string, url: string) =>
  world.server.received.filter((request) => request.method === method && request.url.startsWith(url));
const askedFor = () =>
  packRequests().map(({ body }) =>
    (JSON.parse(String(body)) as { files: { sha256: string }[] }).files.map((file) => file.sha256),
  );

test("small files come in a few packs, a large one by itself", async () => {
  const large = "x".repeat(256 * 1_024 + 1);
  const paths = [...names(800), "deep/large.bin"];
  const answer = offerFolder(world.server, "box", paths, (path) =>
    path === "deep/large.bin" ? large : ownContent(path),
  );
  expect(await get(answer)).toMatchObject({ exitCode: 0, out: "Saved box\n" });
  expect(askedFor().map(({ length }) => length)).toEqual([200, 200, 200, 200]);
  expect(requests("GET", "/folder").map(({ url }) => url)).toEqual([`/folder/file_800/1/${sha256(large)}`]);
  for (const path of names(800)) expect(await saved(path)).toBe(ownContent(path));
  expect(await saved("deep/large.bin")).toBe(large);
});

test("a pack has at most 8 MB, and few files are one pack", async () => {
  const answer = offerFolder(world.server, "box", names(40), (path) => path.padEnd(250_000));
  expect(await get(answer)).toMatchObject({ exitCode: 0 });
  expect(askedFor().map(({ length }) => length)).toEqual([33, 7]);
});

test("a folder without files needs no pack", async () => {
  expect(await get({ ...offerFolder(world.server, "box", []), folders: ["empty"] })).toMatchObject({
    exitCode: 0,
  });
  expect([await here(), askedFor()]).toEqual([["box", "box/empty"], []]);
});

const [first, second]: PackEntry[] = ["one", "two"].map((text) => {
  const content = Buffer.from(text);
  return { sha256: sha256(content), size: content.length, content };
}) as [PackEntry, PackEntry];
const evil = Buffer.from("evil");

test.for<[string, PackEntry[]]>([
  ["a longer content than announced", [{ ...first, content: Buffer.from("one!") }, second]],
  ["a longer content, as announced in the pack", [{ ...first, size: 4, content: evil }, second]],
  ["a shorter content than announced", [{ ...first, content: Buffer.from("on") }, second]],
  [
    "a shorter content, as announced in the pack",
    [{ ...first, size: 2, content: Buffer.from("on") }, second],
  ],
  ["other bytes under the right digest", [{ ...first, content: Buffer.from("eno") }, second]],
  [
    "other bytes under their own digest",
    [{ sha256: sha256("eno"), size: 3, content: Buffer.from("eno") }, second],
  ],
  ["the right content under another digest", [{ ...first, sha256: second.sha256 }, second]],
  ["the right contents in another order", [second, first]],
  ["a content that nobody asked for", [first, second, { sha256: sha256(evil), size: 4, content: evil }]],
  ["the same content twice", [first, first, second]],
])("nothing is saved if a pack has %s", async ([, entries]) => {
  world.server.sendPack = (_asked, response) => void response.end(packOf(entries));
  const answer = offerFolder(world.server, "box", ["a.txt", "b.txt"], (path) =>
    path === "a.txt" ? "one" : "two",
  );
  const { exitCode, error } = await get(answer);
  expect(error).toContain("does not match its digest");
  expect(exitCode).toBe(33);
  expect(await here()).toEqual([]);
});

test.for<[string, object]>([
  ["a size below zero", { size: -1 }],
  ["half a byte", { size: 0.5 }],
  ["a path that it sent already", { path: "b.txt" }],
])("nothing is requested for a list with %s", async ([, wrong]) => {
  const answer = offerFolder(world.server, "box", ["a.txt", "b.txt"]);
  Object.assign(answer.files[0] ?? {}, wrong);
  expect(await get(answer)).toMatchObject({ exitCode: 33, error: expect.stringContaining("wrong entry") });
  expect([await here(), askedFor()]).toEqual([[], []]);
});

test("a pack that was cut or ends early is asked for again without what has arrived", async () => {
  let count = 0;
  world.server.sendPack = (entries, response) => {
    count += 1;
    const pack = packOf(entries);
    const beginning = pack.subarray(0, 200);
    if (count === 1)
      response.writeHead(200, { "content-length": pack.length }).write(beginning, () => response.destroy());
    else response.end(count === 2 ? beginning : pack);
  };
  expect(await get(offerFolder(world.server, "box", names(6), ownContent))).toMatchObject({ exitCode: 0 });
  expect(askedFor().map(({ length }) => length)).toEqual([6, 4, 2]);
  for (const path of names(6)) expect(await saved(path)).toBe(ownContent(path));
});

test("an interrupted folder goes on with the next run: only what is complete is not fetched again", async () => {
  const answer = offerFolder(world.server, "box", names(6), ownContent);
  const honest = world.server.sendPack;
  world.server.sendPack = (entries, response) => {
    if (entries.length < 6) response.destroy();
    else response.write(packOf(entries.slice(0, 4)), () => response.destroy());
  };
  const { exitCode, error } = await get(answer);
  expect(error).toContain("The part that arrived is kept: repeat the line to resume.");
  expect(exitCode).toBe(40);
  const [part = ""] = await readdir(world.here);
  const content = join(world.here, part, "content");
  expect((await readdir(content)).sort()).toEqual(names(4));
  // As if the machine had lost its power while they were written.
  await truncate(join(content, "1.txt"), 3);
  await writeFile(join(content, "2.txt"), "\0".repeat(ownContent("2.txt").length));

  world.server.sendPack = honest;
  expect(await get(answer)).toMatchObject({ exitCode: 0 });
  const again = ["1.txt", "2.txt", "4.txt", "5.txt"];
  expect(askedFor().at(-1)).toEqual(again.map((path) => sha256(ownContent(path))));
  for (const path of names(6)) expect(await saved(path)).toBe(ownContent(path));
});

describe("a list in pages", () => {
  /** The second page begins after the third file. */
  function offerPages(paths: readonly string[], content: (path: string) => string = ownContent) {
    const { files, ...answer } = offerFolder(world.server, "box", paths, content);
    world.server.pages.set("2.txt", { folders: ["later"], files: files.slice(3) });
    return { ...answer, files: files.slice(0, 3), next: "2.txt" };
  }

  test("is fetched to its end, and everything in it", async () => {
    const paths = [...names(6), "later/deep.txt"];
    expect(await get(offerPages(paths))).toMatchObject({ exitCode: 0, out: "Saved box\n" });
    for (const path of paths) expect(await saved(path)).toBe(ownContent(path));
    expect(askedFor().map(({ length }) => length)).toEqual([3, 4]);
  });

  test("goes on at a new address if the first has expired", async () => {
    world.server.expired.add("/folder-old/list");
    const answer = offerPages(names(6));
    expect(await get({ ...answer, href: "/folder-old" }, { ...answer, href: "/folder" })).toMatchObject({
      exitCode: 0,
    });
    expect((await readdir(join(world.here, "box"))).sort()).toEqual([...names(6), "later"]);
  });

  test.for<[string, object, string]>([
    ["leads elsewhere", { files: [{ path: "../x" }] }, "not a path inside the folder"],
    ["has a path of the first page", { files: [{ path: "0.txt" }] }, "are both `0.txt`"],
    ["is empty and not the last", { folders: [], files: [], next: "2.txt" }, "without an end"],
    ["is not a page", { folders: 7 }, "does not understand"],
  ])("nothing is saved if a later page %s", async ([, wrong, message]) => {
    const answer = offerPages(names(6));
    const [file] = answer.files;
    const page = { folders: [], ...wrong };
    const files = (page as { files?: object[] }).files?.map((entry) => ({ ...file, ...entry }));
    world.server.pages.set("2.txt", { ...page, ...(files ? { files } : {}) });
    const { exitCode, error } = await get(answer);
    expect(error).toContain(message);
    expect(exitCode).toBeGreaterThan(20);
    expect(await here()).toEqual([]);
  });
});

test("what an interrupted run has of a folder that changed since is replaced or removed", async () => {
  const large = (letter: string) => letter.repeat(300_000);
  const before = (path: string) => (path === "large.bin" ? large("a") : ownContent(path));
  const answer = offerFolder(world.server, "box", [...names(2), "large.bin", "gone/x.txt"], before);
  const honest = world.server.sendPack;
  world.server.sendPack = (entries, response) => {
    if (entries.length < 3) response.destroy();
    else response.write(packOf(entries.slice(0, 3)).subarray(0, -5), () => response.destroy());
  };
  expect(await get({ ...answer, folders: ["gone", "became-a-file"] })).toMatchObject({ exitCode: 40 });
  const [part = ""] = await readdir(world.here);
  await truncate(join(world.here, part, "content", "large.bin"), 100_000);

  world.server.sendPack = honest;
  world.server.takesRanges = true;
  const after = (path: string) => (path === "large.bin" ? large("b") : `new ${path}`);
  const later = offerFolder(world.server, "box", ["1.txt", "became-a-file", "large.bin"], after);
  expect(await get(later)).toMatchObject({ exitCode: 0 });
  expect(await here()).toEqual(["box", "box/1.txt", "box/became-a-file", "box/large.bin"]);
  for (const path of ["1.txt", "became-a-file", "large.bin"]) expect(await saved(path)).toBe(after(path));
});

test("the same line renews an expired address, once for all packs and files that need it", async () => {
  const paths = [...names(401), "large.bin"];
  const answer = offerFolder(world.server, "box", paths, (path) =>
    path === "large.bin" ? "x".repeat(300_000) : ownContent(path),
  );
  const { id, sha256: digest } = answer.files.at(-1) ?? {};
  world.server.expired = new Set(["/folder-old", `/folder-old/${id}/1/${digest}`]);
  // By then the folder has changed: what was listed first is saved.
  const later = offerFolder(world.server, "box", ["another.txt"]);
  expect(await get({ ...answer, href: "/folder-old" }, { ...later, href: "/folder-new" })).toMatchObject({
    exitCode: 0,
  });
  expect((await readdir(join(world.here, "box"))).sort()).toEqual(paths.sort());
  const lines = requests("POST", "/api/v1/cli").map(({ body }) => String(body));
  expect(lines).toEqual([lines[0], lines[0]]);
});

test("a folder that became something else while its address expired is not saved", async () => {
  world.server.expired.add("/folder");
  const file = {
    kind: "file",
    name: "box",
    size: 1,
    sha256: sha256("x"),
    mediaType: "text/plain",
    href: "/x",
  };
  expect(await get(offerFolder(world.server, "box", ["a.txt"]), file)).toMatchObject({
    exitCode: 22,
    error: expect.stringContaining("The folder was changed on the server"),
  });
  expect(await here()).toEqual([]);
});

test("a pack that the server refuses leaves nothing behind", async () => {
  world.server.sendPack = (_entries, response) => {
    const problem = {
      type: "t",
      title: "Not found",
      code: "not_found",
      detail: "One of these files does not exist.",
    };
    response.writeHead(404).end(JSON.stringify({ ...problem, status: 404, exitCode: 21, requestId: "r" }));
  };
  expect(await get(offerFolder(world.server, "box", names(3)))).toMatchObject({
    exitCode: 21,
    error: expect.stringContaining("One of these files does not exist."),
  });
  expect(await here()).toEqual([]);
});

test("a rate limit in the middle of a download is waited for, as often as it takes", {
  tags: ["long"],
}, async () => {
  const honest = world.server.sendPack;
  let count = 0;
  world.server.sendPack = (entries, response) => {
    count += 1;
    if (count > 4) return honest(entries, response);
    response.writeHead(429, { "retry-after": "1" }).end();
  };
  expect(await get(offerFolder(world.server, "box", names(3)))).toMatchObject({ exitCode: 0, error: "" });
  expect(askedFor().map(({ length }) => length)).toEqual([3, 3, 3, 3, 3]);
});
