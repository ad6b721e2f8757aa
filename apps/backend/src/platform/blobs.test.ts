import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Blobs, fileSystemBlobs } from "./blobs.ts";

let folder: string;
let blobs: Blobs;
const tenantId = randomUUID();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-blobs-"));
  blobs = fileSystemBlobs(folder);
});
afterEach(() => rm(folder, { recursive: true }));

test("gives back what was put, whole or a range of it, by its SHA-256", async () => {
  const blob = await blobs.put(tenantId, Readable.from([Buffer.from("hello "), Buffer.from("world")]));
  expect(blob).toEqual({ sha256: createHash("sha256").update("hello world").digest("hex"), size: 11 });
  expect(await text(await blobs.read(tenantId, blob.sha256))).toBe("hello world");
  expect(await text(await blobs.read(tenantId, blob.sha256, { start: 4, end: 6 }))).toBe("o w");
  expect(await blobs.size(tenantId, blob.sha256)).toBe(11);
});

test("a digest tells nothing to another tenant, and leads nowhere else", async () => {
  const { sha256 } = await blobs.put(tenantId, Readable.from([Buffer.from("secret")]));
  for (const [tenant, digest] of [
    [randomUUID(), sha256],
    [tenantId, "0".repeat(64)],
    [tenantId, sha256.toUpperCase()],
    [tenantId, `../${sha256}`],
    [tenantId, "../../../etc/passwd"],
    [tenantId, ""],
  ] as const) {
    await expect(blobs.read(tenant, digest)).rejects.toMatchObject({ code: "not_found" });
    await expect(blobs.size(tenant, digest)).rejects.toMatchObject({ code: "not_found" });
  }
});

test("content that breaks off leaves nothing", async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from("half");
      throw new Error("the line is cut");
    })(),
  );
  await expect(blobs.put(tenantId, broken)).rejects.toThrow("the line is cut");
  expect(await readdir(join(folder, "pending"))).toEqual([]);
});

test("no other user of the machine can read it", async () => {
  await blobs.put(tenantId, Readable.from([Buffer.from("private")]));
  const modes = await Promise.all(
    (await readdir(folder, { recursive: true })).map(async (name) => (await stat(join(folder, name))).mode),
  );
  expect(modes.length).toBeGreaterThan(3);
  for (const mode of modes) expect(mode & 0o077).toBe(0);
});
