import { chmod, link, mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { done, HostileWorld, offer, offerFolder } from "../../testing/hostile-world.ts";

let world: HostileWorld;
beforeEach(async () => {
  world = await HostileWorld.open();
});
afterEach(() => world.close());

const at = (path: string) => join(world.here, path);
const write = (path: string, content = "mine") => world.write(join("home/work", path), content);
const read = (path: string) => readFile(at(path), "utf8");
const here = async () => (await readdir(world.here, { recursive: true })).sort();
const get = (answer: unknown, ...typed: string[]) => {
  world.server.willAnswer(answer);
  return world.svc(["files", "get", "/x", ...typed]);
};
const getFile = (...typed: string[]) => get(offer(world.server, "theirs"), ...typed);
const getFolder = (paths: string[], ...typed: string[]) =>
  get(
    offerFolder(world.server, "box", paths, (path) => `their ${path}`),
    ...typed,
  );

describe("a file", () => {
  test("is replaced only if the line says so; the hint names the option", async () => {
    await write("report.txt");
    expect(await getFile()).toMatchObject({
      exitCode: 22,
      error: expect.stringContaining("or replace it with --force"),
    });
    expect(await read("report.txt")).toBe("mine");
    expect(await getFile("--force")).toMatchObject({ exitCode: 0, out: "Saved report.txt\n" });
    expect([await read("report.txt"), await here()]).toEqual(["theirs", ["report.txt"]]);
    expect(await getFile("--force", "--output", "new.txt")).toMatchObject({ exitCode: 0 });
    expect(await read("new.txt")).toBe("theirs");
  });

  test("is replaced by a rename, and stays as private as it was", async () => {
    await link(await write("report.txt"), at("second-name.txt"));
    await chmod(at("report.txt"), 0o600);
    expect(await getFile("--force")).toMatchObject({ exitCode: 0 });
    expect([await read("report.txt"), await read("second-name.txt")]).toEqual(["theirs", "mine"]);
    expect((await stat(at("report.txt"))).mode & 0o777).toBe(0o600);
  });

  test("stays until the other one is complete", async () => {
    await write("report.txt");
    [world.server.takesRanges, world.server.cutAt] = [true, 3];
    expect(await getFile("--force")).toMatchObject({ exitCode: 40 });
    expect(await read("report.txt")).toBe("mine");
  });

  test("never replaces a folder or a link", async () => {
    await mkdir(at("report.txt"));
    expect(await getFile("--force")).toMatchObject({
      exitCode: 22,
      error: expect.stringContaining("report.txt is a folder; a file does not replace it."),
    });
    const victim = await write("victim.txt");
    await symlink(victim, at("link.txt"));
    expect(await getFile("--force", "--output", "link.txt")).toMatchObject({
      exitCode: 22,
      error: expect.stringContaining("link.txt is a link"),
    });
    expect(await read("victim.txt")).toBe("mine");
    expect(world.server.received.filter(({ method }) => method === "GET")).toEqual([]);
  });
});

describe("a folder", () => {
  test("takes what comes, and keeps the rest", async () => {
    for (const path of ["a.txt", "kept.txt", "deep/b.txt", "deep/kept.txt"]) await write(`box/${path}`);
    const paths = ["a.txt", "deep/b.txt", "deep/new.txt", "new/c.txt", "new/d/e.txt"];
    expect(await getFolder(paths)).toMatchObject({ exitCode: 22 });
    expect(await getFolder(paths, "--force")).toMatchObject({ exitCode: 0, out: "Saved box\n" });
    for (const path of paths) expect(await read(`box/${path}`)).toBe(`their ${path}`);
    for (const path of ["kept.txt", "deep/kept.txt"]) expect(await read(`box/${path}`)).toBe("mine");
    expect(await readdir(world.here)).toEqual(["box"]);
  });

  test.for([
    ["a file in place of a folder", "a/x.txt", async () => mkdir(at("box/a/x.txt"), { recursive: true })],
    ["a folder in place of a file", "a/x.txt", async () => write("box/a")],
    ["a link to a file", "a/x.txt", async () => linked("box/a/x.txt", "victim/x.txt")],
    ["a link to a folder", "a/x.txt", async () => linked("box/a", "victim")],
  ] as const)("replaces nothing and fetches nothing if there is %s", async ([, path, plant]) => {
    await write("victim/x.txt");
    await write("box/0.txt");
    await plant();
    const answer = { ...offerFolder(world.server, "box", ["0.txt", path]), folders: ["a"] };
    const { exitCode, error } = await get(answer, "--force");
    expect(error).toMatch(/box\/a(\/x\.txt)? is a (file|folder|link); a (file|folder) does not replace it/);
    expect(exitCode).toBe(22);
    expect([await read("box/0.txt"), await read("victim/x.txt")]).toEqual(["mine", "mine"]);
    expect(world.server.received.filter(({ url }) => url.startsWith("/folder"))).toEqual([]);
    expect((await readdir(world.here)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("checks everything again before it replaces the first", async () => {
    await write("victim/x.txt");
    await write("box/0.txt");
    const honest = world.server.sendPack;
    world.server.sendPack = (entries, response) =>
      void linked("box/a", "victim").then(() => honest(entries, response));
    expect(await getFolder(["0.txt", "a/x.txt"], "--force")).toMatchObject({ exitCode: 22 });
    expect([await read("box/0.txt"), await read("victim/x.txt")]).toEqual(["mine", "mine"]);
  });

  test("is never a link, with a slash behind it either", async () => {
    await write("victim/x.txt");
    await linked("box", "victim");
    for (const output of ["box", "box/", "./box//"]) {
      expect(await getFolder(["x.txt"], "--force", "--output", output)).toMatchObject({
        exitCode: 22,
        error: expect.stringContaining("box is a link"),
      });
    }
    expect(await read("victim/x.txt")).toBe("mine");
  });

  test.for(["home", "."])("is never merged into %s of the person, or a folder above", async (place) => {
    const output = join(world.folder, place);
    expect(await getFolder([".bashrc"], "--force", "--output", output)).toMatchObject({
      exitCode: 20,
      error: expect.stringContaining("Nothing is merged into your home folder"),
    });
    expect(await readdir(world.home)).not.toContain(".bashrc");
  });
});

test.for([
  [["--force"], true],
  [["--output", "x"], true],
  [["--output=-"], true],
  [[], undefined],
] as const)("the server hears of %j, to refuse it if nothing is saved", async ([flags, saves]) => {
  world.server.willAnswer(done);
  expect(await world.svc(["files", "delete", "/x", ...flags])).toEqual({
    exitCode: 0,
    out: "Done\n",
    error: "",
  });
  const [line] = world.server.received.filter(({ url }) => url === "/api/v1/cli");
  expect(JSON.parse(String(line?.body)).saves).toBe(saves);
});

async function linked(path: string, to: string): Promise<void> {
  await mkdir(join(at(path), ".."), { recursive: true });
  await symlink(at(to), at(path));
}
