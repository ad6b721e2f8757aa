import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HostileWorld, offerFolder } from "../../testing/hostile-world.ts";
import { runProgram } from "../../testing/run-program.ts";

const numRuns = faultSize(500, 10, 40);
let world: HostileWorld;
/** The program that nobody may run. It leaves its mark. */
let canary: string;
let mark: string;

beforeEach(async () => {
  world = await HostileWorld.open();
  mark = join(world.folder, "it-ran");
  canary = await world.write("canary.sh", `#!/bin/sh\ntouch ${mark}\n`);
  await chmod(canary, 0o755);
  await world.write("canary.sh.py", `import os\nos.system("${canary}")\n`);
});
afterEach(() => world.close());

const gitConfig = () => `[core]
  repositoryformatversion = 0
  bare = false
  worktree = .
  fsmonitor = ${canary}
  hooksPath = ${world.folder}/hooks
  sshCommand = ${canary}
  pager = ${canary}
  editor = ${canary}
[alias]
  canary = !${canary}
[diff]
  external = ${canary}
[filter "canary"]
  clean = ${canary}
[remote "origin"]
  url = ssh://127.0.0.1/x
`;

/** What each file says, by the last of its names. */
function contentOf(path: string): string {
  const name = canonical(path).split("/").at(-1) ?? "";
  if (name === "HEAD") return "ref: refs/heads/main\n";
  if (name === "config") return gitConfig();
  if (name === "config.worktree") return gitConfig();
  if (name === "commondir") return "../common\n";
  if (name === ".git") return "gitdir: common\n";
  if (name === "pre-commit") return `#!/bin/sh\n${canary}\n`;
  if (name === ".gitattributes") return "* filter=canary\n";
  if (name.startsWith("hgrc"))
    return `[hooks]\npre-status = ${canary}\n[extensions]\ncanary = ${canary}.py\n`;
  if (name === "requires")
    return canonical(path).includes(".hg/") ? "share-safe\nrelshared\n" : "share-safe\n";
  if (name === "sharedpath") return "../../common\n";
  return "x\n";
}

const inCommon = (names: string[]) => names.map((name) => `../common/${name}`);
const repository = ["HEAD", "config", "objects/.keep", "refs/.keep"];
/** The ways in which a folder is one of version control, each found to run the canary. */
const kinds: Record<string, string[]> = {
  bare: [...repository, "config.worktree", "hooks/pre-commit", ".gitattributes"],
  commondir: ["HEAD", "commondir", ...inCommon(repository.slice(1))],
  git: repository.map((path) => `.git/${path}`),
  gitfile: [".git", ...repository.map((path) => `common/${path}`)],
  hg: [".hg/hgrc", ".hg/00changelog.i"],
  shared: [
    ".hg/requires",
    ".hg/sharedpath",
    ...inCommon(["requires", "hgrc", "store/requires", "store/00changelog.i"]),
  ],
};
const harmless = ["readme.md", "notes/a.txt", ".envrc", "config", "hooks/useThis.ts"];

/** As file systems see them that fold case, drop what is invisible or at the end of a name. */
const spellings: ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => `${name[0]}\u200c${name.slice(1)}`,
  (name) => `${name}. `,
  (name) => name.replace("s", "\u017f").replace("k", "\u212a"),
];
const known = new Map(
  [...Object.values(kinds).flat(), ...harmless].flatMap((path) =>
    path.split("/").map((name) => [name.toLowerCase(), name] as const),
  ),
);

function canonical(path: string): string {
  return path
    .split("/")
    .map((name) => {
      const plain = name
        .replace("\u200c", "")
        .replace(/[. ]+$/, "")
        .replace("\u017f", "s")
        .replace("\u212a", "k");
      return known.get(plain.toLowerCase()) ?? name;
    })
    .join("/");
}

const drawn = fc.record({
  kind: fc.constantFrom(...Object.keys(kinds)),
  at: fc.constantFrom("", "y", "sub/deep/y", "objects/y", "hooks/refs/y"),
  spelling: fc.option(
    fc.record({ how: fc.constantFrom(...spellings), names: fc.array(fc.boolean(), { size: "medium" }) }),
  ),
  /** Some that are not sent: what is left may be a repository or not. */
  gaps: fc.option(fc.array(fc.nat(9), { minLength: 1 }), { freq: 1 }),
  /** In which of two downloads, into the same place, or on the machine already. */
  when: fc.option(fc.array(fc.constantFrom("first", "second", "mine"), { minLength: 8 })),
  order: fc.infiniteStream(fc.nat(1_000)),
  pageAfter: fc.nat(12),
  namesFolders: fc.boolean(),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

interface Tree {
  mine: string[];
  downloads: string[][];
}

function treeOf({ kind, at, spelling, gaps, when, order }: Drawn): Tree {
  const all = [...(kinds[kind] ?? []), ...harmless];
  const above = at === "" && all.some((path) => path.startsWith("..")) ? "y" : at;
  const paths = all.filter((_, index) => !gaps?.includes(index)).map((path) => join(above, path));
  const spelled = paths.map((path) =>
    path
      .split("/")
      .map((name, index) => (spelling?.names[(index + name.length) % 7] ? spelling.how(name) : name))
      .join("/"),
  );
  const unique = [...new Set(spelled.filter((path) => !hasFileAbove(path, spelled)))];
  const places = [...order.take(unique.length)];
  const shuffled = unique
    .map((path, index) => ({ path, place: places[index] ?? 0 }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ path }) => path);
  const pick = (wanted: string) => shuffled.filter((_, index) => (when?.[index] ?? "first") === wanted);
  return {
    mine: pick("mine"),
    downloads: [pick("first"), pick("second")].filter(({ length }) => length > 0),
  };
}

/** A name is a file's or a folder's, not both. */
function hasFileAbove(path: string, all: readonly string[]): boolean {
  return all.some((other) => path.startsWith(`${other}/`));
}

/** What is on the machine already is the person's own, and names no program. */
async function writeMine(name: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const isHead = canonical(path).endsWith("HEAD");
    const place = await world.write(join("home/work", name, path), isHead ? contentOf(path) : "");
    if (path.includes("hooks")) await chmod(place, 0o755);
  }
}

async function download(name: string, paths: readonly string[], how: Drawn): Promise<string> {
  const offered = offerFolder(world.server, name, paths, contentOf);
  const folders = how.namesFolders ? parentsOf(paths) : [];
  const first = { ...offered, folders, files: offered.files.slice(0, how.pageAfter) };
  const rest = { folders: [], files: offered.files.slice(how.pageAfter) };
  const isPaged = rest.files.length > 0 && first.files.length + folders.length > 0;
  world.server.pages.set("rest", rest);
  world.server.willAnswer(isPaged ? { ...first, next: "rest" } : { ...offered, folders });
  const { exitCode, error } = await world.svc(["files", "get", `/${name}`, "--force"]);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error });
  return error;
}

function parentsOf(paths: readonly string[]): string[] {
  const parents = paths.flatMap((path) => {
    const parts = path.split("/").slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  });
  return [...new Set(parents)];
}

/** A copy as another file system shows it: one name for all of its spellings. */
async function fold(folder: string): Promise<string> {
  const folded = `${folder}-folded`;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(folded, canonical(relative(folder, from)));
    await mkdir(entry.isDirectory() ? to : dirname(to), { recursive: true });
    if (entry.isFile()) await copyFile(from, to);
  }
  return folded;
}

const git = `git status; git log -1; git diff; git -C . branch; git canary; git fetch;
  git hook run pre-commit; git hash-object --path x readme.md; git commit --allow-empty -m x`;
const hg = "hg status; hg log";

/** As a person, their prompt or their editor does. */
async function useIn(folder: string): Promise<void> {
  const folders = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  );
  const env = {
    PATH: process.env.PATH,
    HOME: world.home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: world.here,
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_AUTHOR_NAME: "x",
    HGPLAIN: "1",
  };
  for (const place of [folder, ...folders.map((entry) => join(entry.parentPath, entry.name))]) {
    const hasHg = existsSync(join(place, ".hg"));
    await runProgram("sh", ["-c", hasHg ? `${git}\n${hg}` : git], {
      cwd: place,
      env: env as unknown as NodeJS.ProcessEnv,
    });
  }
}

const ran = () => existsSync(mark);

test.for(Object.keys(kinds))("the canary runs in a folder that comes without svc: %s", async (kind) => {
  for (const path of kinds[kind] ?? []) await world.write(join("home/work/tree/y", path), contentOf(path));
  await mkdir(join(world.here, "tree/y"), { recursive: true });
  await useIn(join(world.here, "tree"));
  expect(ran()).toBe(true);
});

test(`no program runs in ${numRuns} downloaded folders`, { timeout: 1_800_000 }, async () => {
  let count = 0;
  let left = 0;
  const work = async (how: Drawn) => {
    count += 1;
    const name = `tree-${count}`;
    const tree = treeOf(how);
    await writeMine(name, tree.mine);
    for (const paths of tree.downloads)
      if ((await download(name, paths, how)).includes("left out")) left += 1;
    const place = join(world.here, name);
    await useIn(place);
    expect(ran(), "git or hg ran what was downloaded").toBe(false);
    if (how.spelling !== null) {
      const folded = await fold(place);
      await useIn(folded);
      expect(ran(), "it would run on another file system").toBe(false);
      await rm(folded, { recursive: true });
    }
    await rm(place, { recursive: true });
  };
  await fc.assert(fc.asyncProperty(drawn, work), { numRuns, seed: runSeed(), endOnFailure: true });
  expect(left).toBeGreaterThan(numRuns / 3);
});
