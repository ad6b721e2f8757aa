import { createHash, randomUUID } from "node:crypto";
import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { waitUntil } from "@svc/testing/wait-until";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Caller } from "../identity/caller.ts";
import type { StagedCall } from "./staged-call.ts";
import type { StagedFile } from "./staged-file.ts";
import type { StagedTree } from "./staged-tree.ts";
import { Staging } from "./staging.ts";

let folder: string;
let staging: Staging;
const plenty = 1_000_000;
const minute = 60_000;

function callerOf(tenantId: string = randomUUID()): Caller {
  return {
    actor: { id: randomUUID(), kind: "human", name: "Rin", isAdministrator: false },
    tenant: { id: tenantId, name: "Kumo" },
    credential: { kind: "access_token" },
    scopes: ["*"],
  };
}
const rin = callerOf();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-staging-"));
  staging = new Staging(folder, { resumeMillis: 60 * minute, bytesPerPerson: 1_000, bytesPerTenant: 1_500 });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

function append(call: StagedCall, offset: number, content: string | Readable, length?: number) {
  const stream = typeof content === "string" ? Readable.from([Buffer.from(content)]) : content;
  return call.append(0, { offset, maxBytes: plenty, length, content: stream });
}

async function stagedFiles(): Promise<string[]> {
  const entries = await readdir(join(folder, "staging"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("used"))
    .map(({ name }) => name);
}

test("stores what arrives piece by piece, readable only by its owner", async () => {
  const call = staging.newCall(rin, new Date());
  expect(await append(call, 0, "the re")).toBe(6);
  expect(await append(call, 6, "port")).toBe(10);
  const file = (await call.open(0, "./report.pdf")) as StagedFile;
  const sha256 = createHash("sha256").update("the report").digest("hex");
  expect(file).toMatchObject({ path: "./report.pdf", size: 10, sha256 });
  expect(await text(file.read())).toBe("the report");
  const place = join(folder, "staging", rin.tenant.id, rin.actor.id, call.id, `direct-${call.askedAt}-0`);
  expect((await stat(place)).mode & 0o777).toBe(0o600);
});

test("what the next run of a line sends stays while the files of the last one are still being removed", async () => {
  const last = staging.newCall(rin, new Date(), "line");
  await append(last, 0, "last");
  const place = join(folder, "staging", rin.tenant.id, rin.actor.id, last.id);
  await Promise.all(Array.from({ length: 2_000 }, (_, count) => writeFile(join(place, `more-${count}`), "")));
  const names = () => readdir(place).catch(() => []);

  const finishing = last.finish();
  while ((await names()).length > 2_000);
  const next = staging.newCall(rin, new Date(Date.now() + 1), "line");
  await append(next, 0, "next");
  await finishing;
  expect(next.id).toBe(last.id);
  expect(await next.received(0)).toBe(4);
  expect(await names()).toHaveLength(1);
});

test("only the same line, place and credential continue a call", () => {
  const idOf = (caller: Caller, resume?: string) => staging.newCall(caller, new Date(), resume).id;
  const withToken = (id: string): Caller => ({ ...rin, credential: { kind: "service_account_token", id } });
  expect(idOf(rin, "here")).toBe(idOf(rin, "here"));
  const ids = [
    idOf(rin),
    idOf(rin),
    idOf(rin, "here"),
    idOf(rin, "there"),
    idOf(withToken("1"), "here"),
    idOf(withToken("2"), "here"),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test("a piece of another process is copied, so that a late one changes nothing", async () => {
  const roomy = () => new Staging(folder).call(rin, { id: randomUUID(), askedAt: 1 });
  const call = roomy();
  const elsewhere = new Staging(folder).call(rin, call);
  const bytes = Buffer.from("0123456789".repeat(30_000));
  const text = `${JSON.stringify({ kind: "file" })}\n${JSON.stringify(["", bytes.length, "1"])}\n`;
  const id = await call.tree(0).receiveManifest(Readable.from([Buffer.from(text)]));
  await call.tree(0).expect(await call.tree(0).manifest(id), bytes.length);
  const late = new PassThrough();
  const first = call.tree(0).append(id, 0, { offset: 0, content: late });
  late.write(bytes.subarray(0, 100_000));
  await waitUntil(async () => expect(await call.tree(0).received(id, 0)).toBe(100_000));
  const rest = Readable.from([bytes.subarray(100_000)]);
  vi.resetModules();
  const other = await import("./staging.ts");
  const there = new other.Staging(folder).call(rin, elsewhere);
  expect(await there.tree(0).append(id, 0, { offset: 100_000, content: rest })).toBe(bytes.length);
  const file = await there.tree(0).open(await there.tree(0).manifest(id), "x");
  late.end(Buffer.alloc(bytes.length - 100_000, "!"));
  await first.catch(() => {});
  expect(file.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect((await readFile(file.place ?? "")).equals(bytes)).toBe(true);
});

test("a newer piece that starts where an older one is still writing is refused, and overwrites nothing", async () => {
  const roomy = new Staging(folder);
  for (let round = 0; round < 50; round += 1) {
    const call = roomy.newCall(rin, new Date());
    const older = new PassThrough();
    const first = append(call, 0, older);
    first.catch(() => {});
    // Each round meets it at another point.
    for (let turn = 0; turn < round; turn += 1) await setImmediate();
    older.write(Buffer.alloc(60_000, "a"));
    const second = append(call, 0, "b".repeat(30_000));
    await Promise.allSettled([second]);
    older.end();
    await Promise.allSettled([first]);
    const file = await call.open(0, "x").catch(() => undefined);
    const content = file ? await text(file.read()) : "";
    expect([content.length, new Set(content).size]).toEqual([content.length, content === "" ? 0 : 1]);
  }
});

test.for([
  ["piece", "file"],
  ["piece", "folder"],
  ["pack", "file"],
  ["pack", "folder"],
])("a %s is acknowledged only once the disk has kept its %s", async ([form, kept]) => {
  const call = new Staging(folder).call(rin, { id: randomUUID(), askedAt: 1 });
  const tree = call.tree(0);
  const id = await announced(tree, 3);
  const sha256 = createHash("sha256").update("abc").digest("hex");
  const send = () =>
    form === "piece"
      ? tree.append(id, 0, { offset: 0, content: Readable.from([Buffer.from("abc")]) })
      : tree.receivePack(id, Readable.from([Buffer.from(`0 ${sha256}\nabc`)]));
  async function fail(this: FileHandle) {
    const isFile = (await this.stat()).isFile();
    if (isFile === (kept === "file")) throw diskError("EIO");
  }
  const disk = await files();
  for (const sync of ["datasync", "sync"] as const) vi.spyOn(disk, sync).mockImplementation(fail);
  await expect(send()).rejects.toThrow("EIO");
  vi.restoreAllMocks();
  // Of a file that the disk did not keep, nobody knows which bytes are there.
  expect(await tree.received(id, 0)).toBe(kept === "file" ? 0 : 3);
});

test("a disk that fails while a piece arrives makes its file begin again, even if the piece is cut", async () => {
  const tree = new Staging(folder).call(rin, { id: randomUUID(), askedAt: 1 }).tree(0);
  const size = 20_000_000;
  const id = await announced(tree, size);
  const content = new PassThrough();
  const syncs = vi.spyOn(await files(), "datasync").mockRejectedValueOnce(diskError("EIO"));
  const appending = tree.append(id, 0, { offset: 0, content });
  appending.catch(() => {});
  content.write(Buffer.alloc(6_000_000));
  await waitUntil(() => expect(syncs).toHaveBeenCalled());
  content.destroy(new Error("cut"));
  await expect(appending).rejects.toThrow();
  expect(await tree.received(id, 0)).toBe(0);
});

test.for([
  ["some", 4],
  ["none", 0],
] as const)("what a full disk refuses is not in the digest, if it takes %s", async ([, bytes]) => {
  const tree = new Staging(folder).call(rin, { id: randomUUID(), askedAt: 1 }).tree(0);
  const id = await announced(tree, 6);
  const disk = await files();
  const { writev } = disk;
  vi.spyOn(disk, "writev").mockImplementation(async function (this: FileHandle, blocks, position) {
    if (bytes === 0) throw diskError("ENOSPC");
    const taken = Buffer.concat(blocks as Buffer[]).subarray(0, bytes);
    await Reflect.apply(writev, this, [[taken], position]);
    return { bytesWritten: bytes, buffers: blocks };
  });
  const send = (offset: number, letters: string) =>
    tree.append(id, 0, { offset, content: Readable.from([Buffer.from(letters)]) });
  await expect(send(0, "abcdef")).rejects.toThrow(/only part of a piece|ENOSPC/);
  vi.restoreAllMocks();
  expect(await tree.received(id, 0)).toBe(bytes);
  expect(await send(bytes, "abcdef".slice(bytes))).toBe(6);
  const sha256 = createHash("sha256").update("abcdef").digest("hex");
  expect((await tree.arrived(await tree.manifest(id))).complete.get(0)).toBe(sha256);
});

test("reports an interrupted piece, and keeps the bytes before the interruption", async () => {
  const call = new Staging(folder).newCall(rin, new Date());
  const cut = new PassThrough();
  const appending = append(call, 0, cut);
  appending.catch(() => {});
  cut.write("12345");
  await waitUntil(async () => expect(await call.received(0)).toBe(5));
  cut.destroy(new Error("aborted"));
  await expect(appending).rejects.toMatchObject({
    code: "conflict",
    message: "The upload was interrupted at 5.",
  });
  expect(await call.received(0)).toBe(5);
});

test("an id is never a path", () => {
  for (const id of ["../../etc/passwd", "", "a/b", "x".repeat(36)]) {
    expect(() => staging.call(rin, { id, askedAt: 0 })).toThrow("This upload does not exist.");
  }
});

test("a call that has ended leaves no bytes and accepts no more", async () => {
  const call = staging.newCall(rin, new Date());
  await append(call, 0, "12345");
  await call.finish();
  expect(await stagedFiles()).toEqual([]);
  await expect(append(call, 0, "12345")).rejects.toMatchObject({ code: "conflict" });
  const elsewhere = new Staging(folder).call(rin, call);
  await expect(append(elsewhere, 0, "12345")).rejects.toMatchObject({ code: "conflict" });
  expect(await stagedFiles()).toEqual([]);
});

test("a piece that arrives while its call ends is deleted with it", async () => {
  const call = new Staging(folder).newCall(rin, new Date());
  const slow = new PassThrough();
  const appending = append(call, 0, slow);
  slow.write("12345");
  await waitUntil(async () => expect(await call.received(0)).toBe(5));
  await call.finish();
  slow.end("67890");
  await appending.catch(() => {});
  expect(await stagedFiles()).toEqual([]);
});

test("an aborted call keeps what was sent, and nothing derived from it", async () => {
  const call = new Staging(folder).newCall(rin, new Date());
  await append(call, 0, "one");
  await call.hold(1, "b.txt", Buffer.from("held")).text();
  await call.abort();
  expect(await call.aborts()).toBe(1);
  expect((await stagedFiles()).toSorted()).toEqual([
    expect.stringMatching(/^aborted-/),
    expect.stringMatching(/^direct-\d+-0$/),
  ]);
});

test("bytes count against their person and tenant until they are gone", async () => {
  const aiko = callerOf(rin.tenant.id);
  const ken = callerOf();
  const call = staging.newCall(rin, new Date());
  await append(call, 0, "x".repeat(900));
  const over = { code: "too_large" };
  await expect(append(staging.newCall(rin, new Date()), 0, "x".repeat(101), 101)).rejects.toMatchObject(over);
  await expect(append(staging.newCall(rin, new Date()), 0, "x".repeat(101))).rejects.toMatchObject(over);
  await append(staging.newCall(aiko, new Date()), 0, "x".repeat(600), 600);
  await expect(staging.requireRoom(rin)).rejects.toMatchObject(over);
  await expect(append(staging.newCall(aiko, new Date()), 0, "x", 1)).rejects.toMatchObject(over);
  await append(staging.newCall(ken, new Date()), 0, "x".repeat(1_000), 1_000);
  // Another process sees the same.
  const elsewhere = new Staging(folder, {
    resumeMillis: minute,
    bytesPerPerson: 1_000,
    bytesPerTenant: 1_500,
  });
  await expect(elsewhere.requireRoom(ken)).rejects.toMatchObject(over);
  await call.finish();
  await staging.requireRoom(rin);
  await append(staging.newCall(rin, new Date()), 0, "x".repeat(900), 900);
});

test("an upload that the disk has no room for is an outage of the store, unless its sender has reached a limit", async () => {
  const full = new Staging(folder, {
    resumeMillis: minute,
    bytesPerPerson: 1_000,
    bytesPerTenant: 1_500,
    reservedBytes: Number.MAX_SAFE_INTEGER,
    noticedBytes: 100,
  });
  await append(full.newCall(rin, new Date()), 0, "x".repeat(99), 99);
  const outage = { code: "ENOSPC", dependency: "store" };
  await expect(append(full.newCall(rin, new Date()), 0, "x".repeat(100), 100)).rejects.toMatchObject(outage);
  await expect(full.check()).rejects.toMatchObject(outage);
  const over = { code: "too_large" };
  await expect(append(full.newCall(rin, new Date()), 0, "x".repeat(902), 902)).rejects.toMatchObject(over);
});

test("concurrent uploads cannot exceed the limit together", async () => {
  const pieces = Array.from({ length: 10 }, () =>
    append(staging.newCall(rin, new Date()), 0, "x".repeat(300), 300),
  );
  const ends = await Promise.allSettled(pieces);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
});

test("a piece over the limit is refused before it is read", async () => {
  const read = vi.fn();
  const content = new Readable({ read });
  await expect(append(staging.newCall(rin, new Date()), 0, content, 1_001)).rejects.toMatchObject({
    code: "too_large",
  });
  expect(read).not.toHaveBeenCalled();
  expect(await readdir(folder)).toEqual([]);
});

test("deletes only uploads that stopped before the resume window", async () => {
  const [old, recent, resumed] = [
    staging.newCall(rin, new Date()),
    staging.newCall(rin, new Date()),
    staging.newCall(rin, new Date()),
  ];
  for (const call of [old, recent, resumed]) await append(call, 0, "x");
  const longAgo = new Date(Date.now() - 61 * minute);
  for (const call of [old, resumed]) {
    const place = join(folder, "staging", rin.tenant.id, rin.actor.id, call.id);
    await utimes(join(place, `direct-${call.askedAt}-0`), longAgo, longAgo);
    await utimes(place, longAgo, longAgo);
  }
  await append(resumed, 1, "y");
  expect(await staging.sweep(at(new Date()))).toBe(1);
  expect([await old.received(0), await recent.received(0), await resumed.received(0)]).toEqual([0, 1, 2]);
  expect(await new Staging(join(folder, "nowhere")).sweep(at(new Date()))).toBe(0);
});

test("remembers a used call for as long as its ticket is valid", async () => {
  const call = staging.newCall(rin, new Date());
  await call.finish();
  await staging.sweep(at(new Date(Date.now() + 12 * 60 * minute)));
  expect(await call.isUsed()).toBe(true);
  await staging.sweep(at(new Date(Date.now() + 15 * 60 * minute)));
  expect(await call.isUsed()).toBe(false);
  await staging.sweep(at(new Date(Date.now() + 17 * 60 * minute)));
  expect(await readdir(join(folder, "staging"))).toEqual(["used"]);
});

/** Of a folder with one file, `a`; its content may come. */
async function announced(tree: StagedTree, size: number): Promise<string> {
  const manifest = [{ kind: "folder" }, ["a", size, "1"]].map((line) => `${JSON.stringify(line)}\n`).join("");
  const id = await tree.receiveManifest(Readable.from([Buffer.from(manifest)]));
  await tree.expect(await tree.manifest(id), size);
  return id;
}

/** What all open files have in common. */
async function files(): Promise<FileHandle> {
  const handle = await open(folder, "r");
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

function diskError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Both clocks show the same time here. */
function at(now: Date) {
  return { machineTime: now, now };
}
