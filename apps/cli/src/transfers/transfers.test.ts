import { createHash } from "node:crypto";
import { rmSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HostileServer } from "../../testing/hostile-server.ts";
import { askFor, done, offerFolder, sha256 } from "../../testing/hostile-world.ts";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { runSvc } from "../run-svc.ts";

let server: HostileServer;
let folder: string;
let state: string;
beforeEach(async () => {
  server = new HostileServer();
  await server.start();
  folder = await mkdtemp(join(tmpdir(), "svc-cli-"));
  state = await mkdtemp(join(tmpdir(), "svc-state-"));
});
afterEach(async () => {
  server.stop();
  await rm(folder, { recursive: true });
  await rm(state, { recursive: true });
});

async function svc(typed: string[], input = "") {
  const terminal = new TestTerminal({ input });
  const place = { HOME: folder, XDG_CONFIG_HOME: state };
  const environment = { ...place, SVC_BASE_URL: server.baseUrl, SVC_SA_TOKEN: "secret" };
  const exitCode = await runSvc({ typed, environment, terminal, signal: new AbortController().signal });
  return { exitCode, out: terminal.printed.toString(), error: terminal.remarks };
}

const fileAnswer = (content: string, more: object = {}) => {
  server.files.set("/d/1", content);
  return {
    kind: "file",
    name: "report.txt",
    size: content.length,
    sha256: sha256(content),
    mediaType: "text/plain",
    href: "/d/1",
    ...more,
  };
};

test("a small file goes with the repeated line, under the same key", async () => {
  const path = join(folder, "a.txt");
  await writeFile(path, "content");
  server.willAnswer(askFor(path), done);
  expect(await svc(["files", "put", path])).toMatchObject({ exitCode: 0, out: "Done\n", error: "" });
  const [first, second] = server.received;
  expect(JSON.parse(String(second?.body))).toMatchObject({
    continuation: "go on",
    contents: [{ path, base64: Buffer.from("content").toString("base64") }],
  });
  expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
});

test("announces a large file, then sends it with its digest", async () => {
  const path = join(folder, "a.txt");
  const content = "x".repeat(300_000);
  await writeFile(path, content);
  server.willAnswer(askFor(path), done);
  expect(await svc(["files", "put", path])).toMatchObject({ exitCode: 0, out: "Done\n", error: "" });
  const [, manifest, , piece, last] = server.received;
  expect(manifest?.url).toBe("/u/1/manifest");
  expect(String(manifest?.body)).toMatch(/^\{"kind":"file"\}\n\["",300000,"[0-9a-z.]+"\]\n$/);
  expect(piece).toMatchObject({ method: "PATCH", url: "/u/1/announced/0", body: Buffer.from(content) });
  expect(piece?.headers).toMatchObject({
    "upload-offset": "0",
    "repr-digest": `sha-256=:${createHash("sha256").update(content).digest("base64")}:`,
  });
  expect(JSON.parse(String(last?.body))).toMatchObject({
    continuation: "go on",
    manifests: [{ path, id: "announced" }],
  });
});

test("sends only what was named, whatever the server asks for", async () => {
  const secret = join(folder, "id_ed25519");
  await writeFile(secret, "private");
  server.willAnswer(askFor(secret));
  expect(await svc(["files", "put", "./a.txt"])).toMatchObject({
    exitCode: 33,
    error: expect.stringContaining("which you did not name. Nothing was sent."),
  });
  expect(server.received).toHaveLength(1);
});

test("a folder is announced, its files go in packs, and links are left out", async () => {
  await mkdir(join(folder, "box", "deep"), { recursive: true });
  await writeFile(join(folder, "box", "deep", "a.txt"), "content");
  await writeFile(join(folder, "box", "b.txt"), "");
  await symlink("/etc/passwd", join(folder, "box", "link"));
  const path = join(folder, "box");
  server.willAnswer(askFor(path), done);
  const { error, out } = await svc(["files", "put", path]);
  expect(error).toContain("stays behind");
  expect(out).toBe("Done\n");
  const [, manifest, , pack] = server.received;
  const [head, ...lines] = String(manifest?.body)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(head).toEqual({ kind: "folder", leftOut: ["link"] });
  expect(lines).toEqual([["b.txt", 0, expect.any(String)], ["deep"], ["deep/a.txt", 7, expect.any(String)]]);
  expect(pack?.url).toBe("/u/1/announced/pack");
  expect(String(pack?.body)).toBe(`0 ${sha256("")}\n2 ${sha256("content")}\ncontent`);
});

test.for([
  ["", 10],
  [" of the same size", 300_000],
])(
  "a file that is replaced by a link to another one%s after it was announced is not sent",
  async ([, size]) => {
    const [path, secret] = [join(folder, "a.txt"), join(folder, "secret")];
    await writeFile(path, "x".repeat(300_000));
    await writeFile(secret, "s".repeat(Number(size)));
    server.willAnswer(askFor(path), done);
    server.onManifest = () => {
      rmSync(path);
      symlinkSync(secret, path);
    };
    expect(await svc(["files", "put", path])).toMatchObject({
      exitCode: 22,
      error: expect.stringContaining("changed while it was being sent"),
    });
    expect(server.received.filter(({ method }) => method === "PATCH")).toEqual([]);
  },
);

test("a folder in place of a file, a file that is too large and a missing file are refused locally", async () => {
  server.willAnswer(askFor(`file:${folder}`, false));
  expect(await svc(["x", `file:${folder}`])).toMatchObject({ exitCode: 20 });
  const large = join(folder, "large");
  await writeFile(large, "x".repeat(1_000_001));
  server.willAnswer(askFor(large));
  expect(await svc(["x", large])).toMatchObject({ exitCode: 23 });
  server.willAnswer(askFor("./nowhere"));
  expect(await svc(["x", "./nowhere"])).toMatchObject({ exitCode: 21 });
  expect(server.received.filter(({ method }) => method === "PATCH")).toEqual([]);
});

test("continues where the server says, even if it corrects itself later", async () => {
  const path = join(folder, "a.txt");
  await writeFile(path, "x".repeat(300_000));
  server.willAnswer(askFor(path), done);
  server.offsets = [0, 30_000, 40_000];
  server.refusePatchAt = [0, 30_000];
  expect(await svc(["files", "put", path])).toMatchObject({ exitCode: 0, out: "Done\n", error: "" });
  const pieces = server.received.filter(({ method }) => method === "PATCH");
  expect(pieces.map(({ headers }) => headers["upload-offset"])).toEqual(["0", "0", "30000", "40000"]);
  expect(pieces.at(-1)?.body.length).toBe(260_000);
});

test("a name of maximum length is saved unchanged", async () => {
  const name = `${"ä".repeat(125)}.txt`;
  server.willAnswer(fileAnswer("content", { name }));
  expect(await svc(["files", "get", "/r", "--output", folder])).toMatchObject({ exitCode: 0 });
  expect(await readdir(folder)).toEqual([name]);
});

test("a dash sends standard input", async () => {
  server.willAnswer(askFor("-"), done);
  await svc(["files", "put", "-", "/a.md"], "typed in");
  expect(String(server.received[1]?.body)).toBe("typed in");
});

test("saves a file complete and checked, into a folder or under a name, and never over another", async () => {
  server.willAnswer(fileAnswer("content"), fileAnswer("content"), fileAnswer("content"));
  expect(await svc(["files", "get", "/r", "--output", folder])).toMatchObject({ exitCode: 0 });
  expect(await svc(["files", "get", "/r", `--output=${join(folder, "b.txt")}`])).toMatchObject({
    exitCode: 0,
  });
  expect(await svc(["files", "get", "/r", "--output", folder])).toMatchObject({
    exitCode: 22,
    error: expect.stringContaining("nothing was overwritten"),
  });
  expect((await readdir(folder)).sort()).toEqual(["b.txt", "report.txt"]);
  expect(await readFile(join(folder, "b.txt"), "utf8")).toBe("content");
  expect(JSON.parse(String(server.received[0]?.body)).argv).toEqual(["files", "get", "/r"]);
});

test("a dash prints the exact bytes", async () => {
  server.willAnswer(fileAnswer("line\n"));
  expect(await svc(["files", "get", "/r", "--output", "-"])).toMatchObject({ out: "line\n" });
});

test.for([
  ["too short", { size: 100 }],
  ["other bytes", { sha256: sha256("other") }],
] as const)("what arrives %s is not kept", async ([, more]) => {
  server.willAnswer(fileAnswer("content", more));
  expect(await svc(["files", "get", "/r", "--output", folder])).toMatchObject({ exitCode: 33 });
  expect(await readdir(folder)).toEqual([]);
});

test.for(["../../escape.txt", "/etc/cron.d/x", "..\\..\\x", ".."])(
  "the name %s does not lead elsewhere",
  async (name) => {
    server.willAnswer(fileAnswer("content", { name }));
    await svc(["files", "get", "/r", "--output", folder]);
    const [saved = ""] = await readdir(folder);
    expect(saved).not.toContain("..");
    expect(await readFile(join(folder, saved), "utf8")).toBe("content");
  },
);

test.for(["../x", "/x", "a/../../x", "a\\..\\x", "", "a//b", "."])(
  "a folder with `%s` in it is not saved there",
  async (path) => {
    server.willAnswer(offerFolder(server, "box", [path]));
    expect(await svc(["files", "get", "/r", "--output", join(folder, "out")])).toMatchObject({
      exitCode: 33,
    });
    expect(await readdir(folder)).toEqual([]);
  },
);

test("a folder is saved with all its contents, including empty folders, and never into an existing one", async () => {
  const answer = { ...offerFolder(server, "box", ["deep/a.txt"]), folders: ["empty"] };
  server.willAnswer(answer, answer);
  const out = join(folder, "out");
  expect(await svc(["x", "--output", out])).toMatchObject({ exitCode: 0, out: `Saved ${out}\n` });
  expect((await readdir(out, { recursive: true })).sort()).toEqual(["deep", "deep/a.txt", "empty"]);
  expect(await svc(["x", "--output", out])).toMatchObject({ exitCode: 22 });
});

test("a file that changed meanwhile is not assembled from two contents", async () => {
  server.expired.add("/d/1");
  server.willAnswer(fileAnswer("content"), fileAnswer("another", { href: "/d/2" }));
  expect(await svc(["files", "get", "/r", "--output", join(folder, "r")])).toMatchObject({
    exitCode: 22,
    error: expect.stringContaining("was changed on the server"),
  });
  expect((await readdir(folder)).filter((name) => name.startsWith("r"))).toEqual([]);
});

test("does not follow the server to another one", async () => {
  server.willAnswer(fileAnswer("content", { href: "http://127.0.0.2:1/d/1" }));
  expect(await svc(["files", "get", "/r", "--output", folder])).toMatchObject({
    exitCode: 33,
    error: expect.stringContaining("to another server"),
  });
});

test("words after -- are not for svc", async () => {
  server.willAnswer(done);
  await svc(["x", "--", "--output", "y"]);
  expect(JSON.parse(String(server.received[0]?.body)).argv).toEqual(["x", "--", "--output", "y"]);
});
