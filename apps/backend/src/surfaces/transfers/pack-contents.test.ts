import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { packHead } from "@svc/protocol/pack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blobKey } from "../../platform/blobs/blob-store.ts";
import { FileSystemStore } from "../../platform/blobs/file-system-store.ts";
import { packContents, packLength } from "./pack-contents.ts";

let folder: string;
let store: FileSystemStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pack-contents-"));
  store = new FileSystemStore(folder);
});
afterAll(() => rm(folder, { recursive: true }));

async function write(bytes: Buffer) {
  const key = blobKey(randomUUID(), randomUUID());
  await store.write(key, Readable.from([bytes]));
  return { key, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

test("holds contents of any small size in their order", async () => {
  const sizes = [0, 1, 1_000, 64 * 1_024, 256 * 1_024, 0, ...Array<number>(20).fill(700)];
  const all = sizes.map((size) => randomBytes(size));
  const contents = await Promise.all(all.map(write));
  const packed = await buffer(Readable.from(packContents(store, contents)));
  const expected = contents.flatMap((content, index) => [
    Buffer.from(packHead(content)),
    all[index] as Buffer,
  ]);
  expect(packed.equals(Buffer.concat(expected))).toBe(true);
  expect(packed.length).toBe(packLength(contents));
});

test("is cut off by a content that is missing or has lost its end", async () => {
  const whole = await write(randomBytes(10));
  const shorter = { ...(await write(randomBytes(9))), size: 10 };
  await expect(buffer(Readable.from(packContents(store, [whole, shorter])))).rejects.toThrow(
    "has 9 bytes instead of 10",
  );
  const missing = { ...whole, key: blobKey(randomUUID(), randomUUID()) };
  await expect(buffer(Readable.from(packContents(store, [whole, missing])))).rejects.toThrow("ENOENT");
});
