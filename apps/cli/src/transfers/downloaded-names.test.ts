import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRepositoryName } from "@svc/machine/files/safe-name";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HostileWorld, offer, offerFolder } from "../../testing/hostile-world.ts";

let world: HostileWorld;
beforeEach(async () => {
  world = await HostileWorld.open();
});
afterEach(() => world.close());

const here = async () => (await readdir(world.here, { recursive: true })).sort();
const get = (answer: unknown, ...typed: string[]) => {
  world.server.willAnswer(answer);
  return world.svc(["files", "get", ...typed]);
};

test.for([".zshenv", ".git", ".GIT", "git~1", "\u200c.zshenv", "a/.bashrc"])(
  "`files get <id>` does not write %s into the current folder",
  async (name) => {
    const { exitCode, error } = await get(offer(world.server, "PLANTED", { name }), "file_1");
    expect(error).toContain("Nothing was saved.");
    expect(exitCode).toBe(20);
    expect((await get(offerFolder(world.server, name, ["x"]), "fold_1")).exitCode).toBe(20);
    const inFolder = await get(offer(world.server, "PLANTED", { name }), "file_1", "--output", ".");
    expect(inFolder.exitCode).toBe(20);
    expect(await here()).toEqual([]);
  },
);

test("a hidden name that the person typed is saved, in the line or by --output", async () => {
  expect((await get(offer(world.server, "x", { name: ".env" }), "/team/.env")).exitCode).toBe(0);
  expect(
    (await get(offer(world.server, "x", { name: "env" }), "file_1", "--output", ".other")).exitCode,
  ).toBe(0);
  expect(await here()).toEqual([".env", ".other"]);
});

test("a folder keeps its hidden files, but never a .git at any depth", async () => {
  const names = [
    ".gitignore",
    "a.txt",
    ".git/config",
    "sub/.Git/hooks/post-checkout",
    "sub/.git",
    "sub/git~1/x",
  ];
  const { exitCode, error } = await get(offerFolder(world.server, "box", names), "/box");
  expect(exitCode).toBe(0);
  expect(error).toBe(
    "note: left out 4 entries, so that git and programs like it run nothing from this folder: " +
      "`.git/config`, `sub/.Git/hooks/post-checkout`, `sub/.git`, `sub/git~1/x`\n",
  );
  expect(await here()).toEqual(["box", "box/.gitignore", "box/a.txt"]);
});

const repository = ["HEAD", "config", "objects/a", "refs/b"];

test("of a folder that git takes for a repository, what makes it one is left out, and the rest arrives", async () => {
  const names = [
    ...repository,
    "hooks/c",
    "readme.md",
    "sub/HEAD",
    "sub/commondir",
    "sub/config",
    "art/config",
  ];
  const { exitCode, error } = await get(offerFolder(world.server, "box", names), "/box");
  expect(exitCode).toBe(0);
  expect(error).toBe(
    "note: left out 5 entries, so that git and programs like it run nothing from this folder: " +
      "`HEAD`, `config`, `sub/HEAD`, `sub/commondir`, `sub/config`\n",
  );
  expect((await here()).filter((path) => /\/(\w|readme.md|config)$/.test(path))).toEqual([
    "box/art/config",
    "box/hooks/c",
    "box/objects/a",
    "box/readme.md",
    "box/refs/b",
  ]);
});

test("a folder that is not a repository keeps all of these names", async () => {
  const names = ["HEAD", "config", "objects/a", "x/head/a", "x/objects/b", "x/refs/c", "y/hooks/useThis.ts"];
  expect(await get(offerFolder(world.server, "box", names), "/box")).toMatchObject({
    exitCode: 0,
    error: "",
  });
  expect(await here()).toEqual(expect.arrayContaining(names.map((name) => `box/${name}`)));
});

test("what is on the machine counts: a download neither makes it a repository nor changes one", async () => {
  await world.write("home/work/box/HEAD", "MINE");
  await world.write("home/work/box/config", "MINE");
  const parts = offerFolder(world.server, "box", ["objects/a", "refs/b", "readme.md"]);
  expect((await get(parts, "/box", "--force")).error).toContain("left out 2 entries");
  expect(await here()).toEqual(["box", "box/HEAD", "box/config", "box/readme.md"]);
  for (const name of ["objects/a", "refs/b", "hooks/pre-commit"])
    await world.write(`home/work/box/${name}`, "MINE");
  const more = offerFolder(world.server, "box", ["config", "hooks/pre-commit", "new.md"]);
  expect((await get(more, "/box", "--force")).error).toContain("left out 2 entries");
  expect(await readFile(join(world.here, "box/config"), "utf8")).toBe("MINE");
  expect(await readFile(join(world.here, "box/hooks/pre-commit"), "utf8")).toBe("MINE");
  expect(await here()).toContain("box/new.md");
});

test("a name that nobody typed does not make the current folder a repository", async () => {
  for (const name of repository) if (name !== "config") await world.write(`home/work/${name}`, "x");
  const { exitCode, error } = await get(offer(world.server, "PLANTED", { name: "config" }), "file_1");
  expect(error).toContain("git would run programs");
  expect(exitCode).toBe(20);
  expect((await get(offerFolder(world.server, "hooks", ["pre-commit"]), "fold_1")).exitCode).toBe(20);
  expect(await here()).not.toContain("config");
  expect(
    (await get(offer(world.server, "x", { name: "config" }), "file_1", "--output", "own")).exitCode,
  ).toBe(0);
});

test("names that programs may obey once the folder is opened are written, and named", async () => {
  const names = [".envrc", ".vscode/tasks.json", ".vscode/settings.json", "sub/.idea/x", "package.json"];
  expect(await get(offerFolder(world.server, "box", names), "/box")).toMatchObject({
    exitCode: 0,
    error:
      "note: look at these before you open the folder in a program, which may run what they say: " +
      "`.envrc`, `.vscode`, `sub/.idea`\n",
  });
  expect(await here()).toEqual(expect.arrayContaining(names.map((name) => `box/${name}`)));
});

test.for([
  [".git", true],
  [".GiT", true],
  [".git.", true],
  [".git . ", true],
  ["git~1", true],
  ["GIT~2 ", true],
  [".git::$INDEX_ALLOCATION", true],
  [".g\u200dit", true],
  [".hg", true],
  [".Hg.", true],
  ["HG~1", true],
  [".jj", true],
  [".bzr", true],
  ["_DARCS", true],
  [".fslckout", true],
  ["FSLCKO~1", true],
  [".hgignore", false],
  [".svn", false],
  ["hg~1.txt", false],
  ["\ufeff.git", true],
  [".gıt", true],
  [".gitignore", false],
  [".github", false],
  ["git", false],
  ["x.git", false],
] as const)(
  "whether some file system takes %s for a repository of git or a relative: %s",
  ([name, isRepository]) => {
    expect(isRepositoryName(name)).toBe(isRepository);
  },
);

test("a link at the target of a download is neither followed nor replaced", async () => {
  const victim = await world.write("home/.ssh/authorized_keys", "MINE");
  for (const [name, target] of [
    ["report.txt", victim],
    ["dangling.txt", join(world.home, "new")],
    ["box", join(world.home, ".ssh")],
  ] as const) {
    await symlink(target, join(world.here, name));
  }
  expect((await get(offer(world.server, "PLANTED", { name: "report.txt" }), "file_1")).exitCode).toBe(22);
  expect((await get(offer(world.server, "PLANTED", { name: "dangling.txt" }), "file_1")).exitCode).toBe(22);
  expect((await get(offerFolder(world.server, "box", ["authorized_keys"]), "fold_1")).exitCode).toBe(22);
  expect(await readFile(victim, "utf8")).toBe("MINE");
  expect(await readdir(world.home)).not.toContain("new");
});

/** Cut in the middle, so that a part is left. */
async function cutDownload() {
  const content = "0123456789".repeat(100);
  world.server.takesRanges = true;
  const answer = offer(world.server, content);
  world.server.cutAt = 500;
  const { error } = await get(answer, "/report.txt");
  expect(error).toContain("repeat the line to resume");
  world.server.cutAt = undefined;
  const [part = ""] = await readdir(world.here);
  return { content, answer, part: join(world.here, part) };
}

test("a part is private, under a name that nobody can guess, and is found again", async () => {
  const { content, answer, part } = await cutDownload();
  const { mode } = await lstat(part);
  expect(mode & 0o777).toBe(0o700);
  expect(part).not.toContain(answer.sha256.slice(0, 8));
  expect((await get(answer, "/report.txt")).exitCode).toBe(0);
  expect(world.server.received.at(-1)?.headers.range).toBe("bytes=500-");
  expect(await here()).toEqual(["report.txt"]);
  expect(await readFile(join(world.here, "report.txt"), "utf8")).toBe(content);
});

test("the name of a part differs between people", async () => {
  const { part } = await cutDownload();
  await rm(part, { recursive: true });
  await rm(join(world.home, ".config"), { recursive: true });
  expect((await cutDownload()).part).not.toBe(part);
});

test.for([
  ["a link to another folder", async (part: string) => symlink(world.home, part)],
  ["a folder that others can enter", async (part: string) => mkdir(part, { mode: 0o755 })],
  [
    "a folder with a link in it",
    async (part: string) => {
      await mkdir(part, { mode: 0o700 });
      await symlink(join(world.home, "victim"), join(part, "content"));
    },
  ],
] as const)("%s in place of a part is not used", async ([, plant]) => {
  const { answer, part } = await cutDownload();
  await rm(part, { recursive: true });
  await plant(part);
  await writeFile(join(world.home, "victim"), "MINE");
  const { exitCode, error } = await get(answer, "/report.txt");
  expect(error).toContain("was not created by svc, or others can access it");
  expect(exitCode).toBe(43);
  expect(await readFile(join(world.home, "victim"), "utf8")).toBe("MINE");
});

test("if nothing can be stored a download still works, and an interrupted one leaves nothing", async () => {
  const environment = { XDG_CONFIG_HOME: "/sys" };
  const answer = offer(world.server, "content");
  world.server.willAnswer(answer, answer);
  expect((await world.svc(["files", "get", "/report.txt"], { environment })).exitCode).toBe(0);
  await rm(join(world.here, "report.txt"));
  [world.server.takesRanges, world.server.cutAt] = [true, 3];
  const { error } = await world.svc(["files", "get", "/report.txt"], { environment });
  expect(error).not.toContain("to resume");
  expect(await here()).toEqual([]);
});
