import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { deepestPath, longestPath, mostEntries, mostFiles } from "@svc/protocol/manifest";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Caller } from "../identity/caller.ts";
import { KeptManifests, keptManifests } from "./kept-manifests.ts";
import { readManifest, type SentManifest } from "./manifest.ts";
import { NameNode } from "./name-tree.ts";
import type { StagedTree } from "./staged-tree.ts";
import { Staging } from "./staging.ts";

const head = `${JSON.stringify({ kind: "folder" })}\n`;
const lineOf = (...line: unknown[]) => `${JSON.stringify(line)}\n`;
const blockBytes = 64 * 1_024;

/** Lines as often as it is asked for, and how much of it was taken. */
function manyLines(lineAt: (index: number) => string, most: number) {
  const taken = { bytes: 0 };
  async function* blocks(): AsyncGenerator<Buffer> {
    let text = head;
    for (let index = 0; index < most; index += 1) {
      text += lineAt(index);
      if (text.length < blockBytes && index < most - 1) continue;
      taken.bytes += text.length;
      yield Buffer.from(text);
      text = "";
    }
  }
  return { taken, content: blocks() };
}

const inBlocks = (text: string) => Readable.from([Buffer.from(text)]);
const read = (...lines: string[]) => readManifest(inBlocks(head + lines.join("")));

describe("limits while a manifest is read", () => {
  /** How many names have become part of a tree. */
  let named = 0;
  const { add } = NameNode.prototype;
  beforeEach(() => {
    named = 0;
    NameNode.prototype.add = function (name) {
      named += 1;
      return add.call(this, name);
    };
  });
  afterEach(() => {
    NameNode.prototype.add = add;
  });

  test("a line with 10,000 names is refused before a single one is looked at", async () => {
    const path = ["0", ...Array<string>(9_990).fill("a")].join("/");
    await expect(read(lineOf(path))).rejects.toMatchObject({
      code: "too_large",
      message: `A path in a folder can have at most ${longestPath} bytes.`,
    });
    expect(named).toBe(0);
  });

  test("folders are nested as deep as the limit, and no deeper", async () => {
    const deep = Array<string>(deepestPath).fill("a").join("/");
    expect((await read(lineOf(deep))).entries[0]?.names).toHaveLength(deepestPath);
    named = 0;
    await expect(read(lineOf(`${deep}/a`))).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("`a/a/a` is in more than 63 folders"),
    });
    expect(named).toBe(0);
  });

  test.each(["x", "é", "\u0001", "\ud800"])("paths of %j are measured by their bytes", async (character) => {
    const bytes = Buffer.byteLength(character);
    const path = character.repeat(Math.floor(longestPath / bytes));
    expect((await read(lineOf(path, 1, "1"))).entries).toHaveLength(1);
    await expect(read(lineOf(path + character, 1, "1"))).rejects.toMatchObject({ code: "too_large" });
  });

  test("a line without an end is not collected", async () => {
    const { taken, content } = manyLines(() => "x".repeat(1_000), 10_000);
    await expect(readManifest(content)).rejects.toMatchObject({ code: "too_large" });
    expect(taken.bytes).toBeLessThanOrEqual(2 * blockBytes);
  });

  test("lines of one folder are refused at the limit, and nothing more is read", async () => {
    const line = lineOf("a");
    const { taken, content } = manyLines(() => line, 2 * mostEntries);
    await expect(readManifest(content)).rejects.toMatchObject({
      code: "too_large",
      message: `A folder can have at most ${mostEntries} files and folders.`,
    });
    expect(taken.bytes).toBeLessThan(mostEntries * line.length + 2 * blockBytes);
  });

  test("folders count that only paths name", async () => {
    const below = Array<string>(deepestPath - 1)
      .fill("a")
      .join("/");
    const { taken, content } = manyLines((index) => lineOf(`${index}/${below}`), 10_000);
    await expect(readManifest(content)).rejects.toMatchObject({ code: "too_large" });
    const lines = Math.ceil(mostEntries / deepestPath);
    expect(taken.bytes).toBeLessThan((lines + 1) * (below.length + 20) + 2 * blockBytes);
    expect(named).toBeLessThanOrEqual(mostEntries + deepestPath);
  });

  test("100,000 files are taken, and not one more", async () => {
    const files = (count: number) =>
      manyLines((index) => lineOf(`${index % 1_000}/in/${index}`, 1, "1"), count).content;
    expect((await readManifest(files(mostFiles))).entries).toHaveLength(mostFiles);
    await expect(readManifest(files(mostFiles + 1))).rejects.toMatchObject({
      message: `A folder can have at most ${mostFiles} files.`,
    });
  });

  test("twelve at once of 10,000 names in every line are refused with their first block", async () => {
    const below = Array<string>(9_990).fill("a").join("/");
    const sent = Array.from({ length: 12 }, () => manyLines((index) => lineOf(`${index}/${below}`), 1_000));
    const ends = await Promise.allSettled(sent.map(({ content }) => readManifest(content)));
    expect(ends.map(({ status }) => status)).toEqual(Array(12).fill("rejected"));
    for (const { taken } of sent) expect(taken.bytes).toBeLessThan(2 * blockBytes);
    expect(named).toBe(0);
  });
});

describe("what stays of a manifest", () => {
  let folder: string;
  let staging: Staging;
  const rin: Caller = {
    actor: { id: randomUUID(), kind: "human", name: "Rin", isAdministrator: false },
    tenant: { id: randomUUID(), name: "Kumo" },
    credential: { kind: "access_token" },
    scopes: ["*"],
  };
  const bytesPerPerson = 10_000;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-manifest-"));
    staging = new Staging(folder, { resumeMillis: 60_000, bytesPerPerson, bytesPerTenant: bytesPerPerson });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await rm(folder, { recursive: true, force: true });
  });

  const newTree = () => staging.newCall(rin, new Date()).tree(0);
  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  /** Whether nothing is reserved or kept. */
  const requireAllRoom = async () => {
    expect(await files()).toEqual([]);
    const text = head + lineOf("x".repeat(3_000), 1, "1").repeat(3);
    const padded = `${JSON.stringify({ kind: "folder", pad: "x".repeat(bytesPerPerson - text.length - 100) })}\n`;
    const whole = padded + text.slice(head.length);
    expect(await newTree().receiveManifest(inBlocks(whole), whole.length)).toMatch(/^[0-9a-f]{64}$/);
  };

  test("more than there is room for is refused before it is read", async () => {
    const taken = vi.fn();
    const content = new Readable({
      highWaterMark: 1,
      read() {
        taken();
        this.push(head);
        this.push(null);
      },
    });
    await expect(newTree().receiveManifest(content, bytesPerPerson + 1)).rejects.toMatchObject({
      code: "too_large",
    });
    expect(taken).not.toHaveBeenCalled();
    await requireAllRoom();
  });

  test("without a length, room is claimed for each block before it is kept", async () => {
    const { taken, content } = manyLines((index) => lineOf(`${index}`), mostEntries);
    const sent = Readable.from(content, { highWaterMark: 1 });
    await expect(newTree().receiveManifest(sent)).rejects.toMatchObject({
      message: expect.stringContaining("unfinished uploads"),
    });
    expect(taken.bytes).toBeLessThan(10 * blockBytes);
    await requireAllRoom();
  });

  test.each([
    ["malformed", `${head}["a"`],
    ["deep", head + lineOf(Array(100).fill("a").join("/"))],
    ["without a head", lineOf("a")],
    ["empty", ""],
  ])("a refused one leaves nothing: %s", async (_, text) => {
    const kept = vi.spyOn(keptManifests, "keep");
    for (const length of [undefined, text.length, 5_000]) {
      const sent = newTree().receiveManifest(inBlocks(text), length);
      await expect(sent).rejects.toMatchObject({
        code: expect.stringMatching(/^(invalid_request|too_large)$/),
      });
    }
    expect(kept).not.toHaveBeenCalled();
    await requireAllRoom();
  });

  test("one whose connection breaks leaves nothing", async () => {
    const blocks = [head];
    const content = new Readable({
      read() {
        const block = blocks.pop();
        if (block === undefined) this.destroy(new Error("the connection broke"));
        else this.push(block);
      },
    });
    const sent = newTree().receiveManifest(content, 5_000);
    await expect(sent).rejects.toThrow("the connection broke");
    await requireAllRoom();
  });

  test("it is parsed again until its command has accepted it, and forgotten when its call has ended", async () => {
    const call = staging.newCall(rin, new Date());
    const tree: StagedTree = call.tree(0);
    const text = head + lineOf("a", 1, "1");
    const id = await tree.receiveManifest(inBlocks(text));
    const before = keptManifests.bytes;
    const named = vi.spyOn(NameNode.prototype, "add");
    await expect(tree.receivePack(id, inBlocks(""))).rejects.toMatchObject({ code: "conflict" });
    expect(named).not.toHaveBeenCalled();
    await tree.manifest(id);
    expect(keptManifests.bytes).toBe(before);
    const manifest = await tree.manifest(id);
    await tree.expect(manifest, 1);
    expect(keptManifests.bytes).toBe(before + manifest.memory);
    expect(await tree.manifest(id)).toBe(manifest);
    await call.finish();
    expect(keptManifests.bytes).toBe(before);
  });

  test("one that another replaces is forgotten", async () => {
    const tree = newTree();
    const before = keptManifests.bytes;
    const id = await tree.receiveManifest(inBlocks(head + lineOf("a", 1, "1")));
    await tree.expect(await tree.manifest(id), 1);
    await tree.receiveManifest(inBlocks(head + lineOf("b", 1, "1")));
    expect(keptManifests.bytes).toBe(before);
    await expect(tree.manifest(id)).rejects.toMatchObject({ code: "conflict" });
  });

  test("kept ones have so many bytes at most, however many they are", async () => {
    const kept = new KeptManifests(1_000_000);
    const manifest = await read(...Array.from({ length: 500 }, (_, index) => lineOf(`${index}`, 1, "1")));
    for (let count = 0; count < 100; count += 1) {
      kept.keep(`/calls/${count}/0.manifest`, manifest);
      expect(kept.bytes).toBeLessThanOrEqual(1_000_000);
    }
    expect(kept.get("/calls/99/0.manifest")).toBe(manifest);
    expect(kept.get("/calls/0/0.manifest")).toBeUndefined();
    const large: SentManifest = { ...manifest, memory: 1_000_001 };
    kept.keep("/calls/large/0.manifest", large);
    expect(kept.get("/calls/large/0.manifest")).toBeUndefined();
    kept.forget("/calls/99");
    expect(kept.get("/calls/99/0.manifest")).toBeUndefined();
  });
});
