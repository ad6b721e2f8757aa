import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { loadCatalog } from "@svc/command-router/catalog";
import { faultSize } from "@svc/testing/fault-size";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isLocalVerb } from "../../src/local-verbs.ts";
import { documentedLines } from "../../testing/documented-lines.ts";
import { HostileServer } from "../../testing/hostile-server.ts";
import { askFor, HostileWorld, offer, offerFolder } from "../../testing/hostile-world.ts";
import { bunProgram, runProgram } from "../../testing/run-program.ts";

const { commands } = await loadCatalog(join(import.meta.dirname, "../../../backend/src/features"));

let world: HostileWorld;
beforeEach(async () => {
  world = await HostileWorld.open();
});
afterEach(() => world.close());

/** Everything on the machine that a server might want, each with its own content. */
async function fillMachine(names: Iterable<string>): Promise<void> {
  const paths = [
    "home/.env",
    "home/.ssh/id_ed25519",
    "home/.config/svc/credentials.json",
    "home/.config/other/settings",
    "home/notes.txt",
    "home/papers/a.pdf",
    "home/papers/.env",
    "home/papers/deep/.git/config",
    "home/work/report.pdf",
    "home/work/.env",
    "home/work/box/a.txt",
    "home/work/box/.hidden",
    "srv/data.csv",
    "srv/.secret",
  ];
  for (const path of paths)
    await world.write(path, `<${path}>${"x".repeat(path.includes("pdf") ? 70_000 : 0)}`);
  await symlink(join(world.home, ".ssh"), join(world.here, "box/keys"));
  await symlink(join(world.home, ".ssh/id_ed25519"), join(world.home, "papers/key"));
  await symlink(join(world.home, ".ssh"), join(world.home, "keys"));
  await symlink(join(world.home, ".config/svc"), join(world.here, "own"));
  for (const name of names) {
    if (!/^[\w.-]{1,60}$/.test(name) || /^\.+$/.test(name)) continue;
    if (!readdirSync(world.here).includes(name))
      await world.write(`home/work/${name}`, `<home/work/${name}>`);
  }
}

const isNamed = (word: string) => /^(\.{1,2}($|\/)|file:.)/.test(word);

/** The rule, said once more and apart from the client: the marks of all files that a word plainly offers. */
function offeredBy(word: string): Set<string> {
  const isInHome =
    word.startsWith(`${world.home}/`) &&
    !word.slice(world.home.length).includes("/.") &&
    !word.startsWith(join(world.home, "keys")) &&
    basename(word) !== "key";
  if (!isNamed(word) && !isInHome) return new Set();
  const path = join(word.startsWith("file:/") || isInHome ? "/" : world.here, word.replace(/^file:/, ""));
  return new Set(filesBelow(path, isNamed(word)).map((file) => `<${file.slice(world.folder.length + 1)}>`));
}

function filesBelow(path: string, withHidden: boolean): string[] {
  if (path.includes("/.config/svc") || path === join(world.here, "own")) return [];
  let entries: Dirent[];
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    return [path];
  }
  return entries
    .filter((entry) => !entry.isSymbolicLink() && (withHidden || !entry.name.startsWith(".")))
    .flatMap((entry) => filesBelow(join(path, entry.name), withHidden));
}

/** A server asks for a word, or for what may be cut out of one. */
const wishes = (line: readonly string[]) => [
  ...new Set(line.flatMap((word) => [word, ...word.split("=").slice(1), ...word.split(":").slice(1)])),
];

async function sendsOnlyWhatIsOffered(line: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const wish of wishes(line).filter((word) => word !== "")) {
    const { sent, requests } = await world.askedFor(wish, line);
    const marks = [...sent.matchAll(/<[\w./-]+>/g)].map(String);
    const isWord = line.some((word) => word === wish || /^--[\w-]+=/.exec(word)?.[0].concat(wish) === word);
    const offered = isWord ? offeredBy(wish) : new Set<string>();
    const label = `svc ${line.join(" ")} (asked for ${wish})`;
    expect({ label, surplus: marks.filter((mark) => !offered.has(mark)) }).toEqual({ label, surplus: [] });
    // A folder that is offered and holds nothing that may leave it is sent without any content.
    const mayBeEmpty = isWord && (wish === "-" || isNamed(wish));
    if (offered.size === 0 && !mayBeEmpty) expect({ label, requests }).toEqual({ label, requests: 0 });
    bytes += sent.length;
  }
  return bytes;
}

test("no line of the README, the manual, the guides or any command's help gives away more than it offers", async () => {
  const lines = (await documentedLines()).filter(([first]) => !isLocalVerb(first));
  expect(lines.length).toBeGreaterThan(100);
  for (const { path, examples } of commands) {
    if (examples.length > 0)
      expect(
        lines.some((line) => line.join(" ").startsWith(path)),
        path,
      ).toBe(true);
  }
  await fillMachine(lines.flat());
  const few = lines.filter((_line, at) => at % faultSize(1, 12) === 0);
  for (const line of few) await sendsOnlyWhatIsOffered(line);
});

test("nor does any command with any local path, in any position", async () => {
  const names = ["report.pdf", "box", ".env"];
  await fillMachine([...names, ...commands.flatMap(({ path }) => path.split(" "))]);
  const { home, folder, here } = world;
  const paths = [
    ...names,
    ...names.map((name) => `./${name}`),
    ...[".", "..", "../.ssh", "../notes.txt", "~/notes.txt", "own", "./own", "file:own"],
    ...[
      home,
      `${home}/`,
      `${home}/.env`,
      `${home}/.ssh`,
      `${home}/notes.txt`,
      `${home}/papers`,
      `${home}/keys`,
    ],
    ...[`${home}/papers/key`, `${home}/keys/id_ed25519`, `${home}/.config/svc`, `${here}/box`, `${here}/own`],
    ...[`${home}/papers/../.env`, `file:${home}/.config/svc/credentials.json`, `file:${home}/.config`],
    ...[`${folder}/srv`, `${folder}/srv/data.csv`, `file:${folder}/srv/data.csv`, "/", "/etc/passwd", folder],
  ];
  const step = faultSize(1, 97);
  let [at, lines, bytes] = [0, 0, 0];
  for (const { path } of commands) {
    for (const word of paths) {
      at += 1;
      if (at % step !== 0) continue;
      for (const line of [
        [...path.split(" "), word],
        [...path.split(" "), "./box/a.txt", word, "/"],
        [...path.split(" "), "/", `--source=${word}`],
        [...path.split(" "), "/", "--set", `a=${word}`],
      ]) {
        lines += 1;
        bytes += await sendsOnlyWhatIsOffered(line);
      }
    }
  }
  process.stdout.write(`${lines} lines, ${bytes} bytes sent, all of them offered\n`);
  expect(bytes).toBeGreaterThan(0);
});

test("no offered name is written outside the target, as .git, or hidden at the top", async () => {
  const victim = await world.write("home/victim", "MINE");
  await mkdir(join(world.home, "victims"));
  const piece = fc.constantFrom(
    ...[
      "..",
      ".",
      "/",
      "\\",
      "a",
      "b",
      ".git",
      ".GIT",
      "git~1",
      ".git ",
      ".git.",
      ".g\u200cit",
      "\ufeff.git",
      "config",
    ],
    ...[
      ".zshenv",
      ".env",
      "\u0000",
      "\n",
      "\u001b[2J",
      "\u202e",
      ":",
      "::$DATA",
      "CON",
      "nul.txt",
      "~",
      " ",
      "x".repeat(300),
    ],
    ...[
      "link",
      "dangling",
      "linked-folder",
      world.home,
      join(world.home, "victim"),
      "%2e%2e%2f",
      "C:\\x",
      "\\\\host\\x",
    ],
  );
  const name = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""));
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  const attack = fc.record({
    name,
    paths: fc.array(path, { minLength: 1, maxLength: 3 }),
    isFolder: fc.boolean(),
  });
  const where = fc.constantFrom(
    [],
    ["--force"],
    ["--output", "out/"],
    ["--output", "new"],
    ["--output", "out"],
    ["--output", "out", "--force"],
  );
  let saved = 0;
  await fc.assert(
    fc.asyncProperty(attack, where, async ({ name: top, paths, isFolder }, output) => {
      await plantLinks(victim);
      const before = inventory(world.folder);
      world.server.willAnswer(
        isFolder ? offerFolder(world.server, top, paths) : offer(world.server, "PLANTED", { name: top }),
      );
      const { exitCode } = await world.svc(["files", "get", "file_1", ...output]);
      world.server.forgetAnswers();
      const fresh = inventory(world.folder).filter((entry) => !before.includes(entry) && !isOwn(entry));
      for (const entry of fresh) {
        expect(entry.startsWith(`${world.here}/`), entry).toBe(true);
        const parts = entry.slice(world.here.length + 1).split("/");
        expect(parts.filter(looksLikeGit), entry).toEqual([]);
        const [first = "", second] = parts;
        const top = first === "out" && !isFolder ? second : first;
        expect(top === undefined || !unseen(top).startsWith("."), entry).toBe(true);
      }
      if (exitCode !== 0) expect(fresh.filter((entry) => entry !== join(world.here, "out"))).toEqual([]);
      else saved += 1;
      expect(readFileSync(victim, "utf8")).toBe("MINE");
      expect(await readdir(join(world.home, "victims"))).toEqual([]);
    }),
    { numRuns: faultSize(5_000, 60) },
  );
  expect(saved).toBeGreaterThan(0);
});

/** An empty target, but for links that lead out of it. */
async function plantLinks(victim: string): Promise<void> {
  await rm(world.here, { recursive: true });
  for (const folder of [world.here, join(world.here, "out")]) {
    await mkdir(folder);
    await symlink(victim, join(folder, "link"));
    await symlink(join(world.home, "new-file"), join(folder, "dangling"));
    await symlink(join(world.home, "victims"), join(folder, "linked-folder"));
  }
  process.chdir(world.here);
}

function inventory(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return [path, ...(entry.isDirectory() ? inventory(path) : [])];
  });
}

const isOwn = (path: string) => path.startsWith(join(world.home, ".config"));
const unseen = (name: string) => name.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "");
const looksLikeGit = (part: string) =>
  /^(\.git|git~\d+)$/i.test((unseen(part).split(":")[0] ?? "").replace(/[. ]+$/, ""));

test("never follows a redirect to another server, another scheme or plain http", async () => {
  const other = new HostileServer();
  await other.start();
  await world.write("home/work/large.bin", "x".repeat(200_000));
  const locations = [
    `${other.baseUrl}/`,
    other.baseUrl.replace("http:", ""),
    "http://svc.example/",
    "https://svc.example/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "http://[broken",
  ];
  const work: Record<string, [unknown, string[]]> = {
    POST: [offer(world.server, "x"), ["files", "list"]],
    GET: [offer(world.server, "x"), ["files", "get", "/report.txt"]],
    PATCH: [
      {
        kind: "upload",
        uploads: [
          {
            argument: "s",
            path: "./large.bin",
            href: "/u",
            maxBytes: 1e9,
            acceptsFolder: false,
            goesWithLine: false,
            wants: "file",
          },
        ],
        continuation: "c",
      },
      ["files", "put", "./large.bin"],
    ],
  };
  try {
    for (const [method, [answer, line]] of Object.entries(work)) {
      for (const status of [301, 302, 303, 307, 308]) {
        for (const location of locations) {
          world.server.redirect = { method, status, location };
          world.server.willAnswer(answer);
          const { exitCode } = await world.svc(line);
          world.server.forgetAnswers();
          expect({ method, status, location, isRefused: exitCode !== 0 }).toMatchObject({ isRefused: true });
        }
      }
    }
    expect(other.received).toEqual([]);
    expect(await readdir(world.here)).toEqual(["large.bin"]);
  } finally {
    other.stop();
  }
});

test("the program that people run behaves the same", async () => {
  const main = join(import.meta.dirname, "../../src/main.ts");
  const env = { PATH: process.env.PATH, ...world.environment };
  const run = async (answer: unknown, ...line: string[]) => {
    world.server.willAnswer(answer);
    return runProgram(bunProgram, [main, ...line], { cwd: world.here, env });
  };
  const secret = await world.write("home/.env", "PRIVATE");
  expect(await run(askFor(secret), "files", "cat", secret)).toMatchObject({ exitCode: 20 });
  expect(await run(askFor("/"), "files", "list", "/")).toMatchObject({ exitCode: 20 });
  expect(world.server.received).toHaveLength(2);
  const hidden = offer(world.server, "PLANTED", { name: ".zshenv" });
  expect(await run(hidden, "files", "get", "file_1")).toMatchObject({ exitCode: 20 });
  expect(await run(offerFolder(world.server, "box", [".git/config"]), "files", "get", "/box")).toMatchObject({
    exitCode: 0,
    error:
      "note: left out 1 entry, so that git and programs like it run nothing from this folder: `.git/config`\n",
  });
  expect(inventory(world.here)).toEqual([join(world.here, "box")]);
  world.server.redirect = { method: "POST", status: 307, location: "http://127.0.0.2:1/" };
  expect(await run({}, "files", "list")).toMatchObject({ exitCode: 33 });
});
