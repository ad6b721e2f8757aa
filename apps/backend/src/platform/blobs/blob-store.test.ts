import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { waitUntil } from "@svc/testing/wait-until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RetainedMemory } from "../../../testing/retained-memory.ts";
import { testBucketMillis } from "../../../testing/test-bucket.ts";
import { listKeys, testStores } from "../../../testing/test-stores.ts";
import { type BlobStore, blobKey } from "./blob-store.ts";

const megabyte = 1024 ** 2;
const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
const yesterday = new Date(Date.now() - 24 * 60 * 60_000);
const tenantId = randomUUID();

describe.for(testStores)("a blob store on $kind", ({ open }) => {
  let store: BlobStore;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ store, close } = await open());
  }, testBucketMillis);
  afterAll(() => close());

  test.for([0, 1, 5 * megabyte, 5 * megabyte + 1, 20 * megabyte])(
    "reads back what was written, with its size and digest: %i bytes",
    async (size) => {
      const bytes = randomBytes(size);
      const key = newKey();
      expect(await store.write(key, streamOf(bytes))).toEqual({ size, sha256: sha256(bytes) });
      expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
    },
  );

  test("reads any range, including its end", async () => {
    const bytes = randomBytes(11 * megabyte);
    const key = newKey();
    await store.write(key, streamOf(bytes));
    for (const [start, end] of [
      [0, 0],
      [3, 7],
      [5 * megabyte - 2, 5 * megabyte + 2],
      [5, bytes.length - 1],
      [bytes.length - 1, bytes.length - 1],
      // What is left, if there is less than that.
      [bytes.length - 3, bytes.length + 3],
    ] as const) {
      const part = await buffer(await store.read(key, { start, end }));
      expect([start, end, part.equals(bytes.subarray(start, end + 1))]).toEqual([start, end, true]);
    }
  });

  test("has nothing under a removed or unknown key, and removes it again without error", async () => {
    const key = newKey();
    await store.write(key, streamOf(randomBytes(10)));
    await store.remove(key);
    await store.remove(key);
    await store.remove(newKey());
    await expect(store.read(key)).rejects.toThrow();
    await expect(store.read(newKey())).rejects.toThrow();
  });

  test("lists only what was written before", async () => {
    const keys = [newKey(), newKey(), newKey()];
    for (const key of keys) await store.write(key, streamOf(randomBytes(10)));
    const listed = await listKeys(store);
    expect(listed).toEqual(expect.arrayContaining(keys));
    expect(new Set(listed).size).toBe(listed.length);
    expect(await listKeys(store, yesterday)).toEqual([]);
  });

  test("keeps many writes at once apart", async () => {
    const contents = Array.from({ length: 20 }, (_, index) => randomBytes(index * 10_000));
    const keys = contents.map(() => newKey());
    const written = await Promise.all(
      contents.map((bytes, index) => store.write(keys[index] ?? "", streamOf(bytes))),
    );
    expect(written.map((each) => each.sha256)).toEqual(contents.map(sha256));
    const read = await Promise.all(keys.map(async (key) => buffer(await store.read(key))));
    expect(read.map(sha256)).toEqual(contents.map(sha256));
  });

  test.for([
    ["fails", 100_000, (content: Readable) => content.destroy(new Error("the connection broke"))],
    ["fails late", 11 * megabyte, (content: Readable) => content.destroy(new Error("the connection broke"))],
    ["just ends", 11 * megabyte, (content: Readable) => content.destroy()],
  ] as const)("keeps nothing of a stream that %s, after %i bytes", async ([, size, cut]) => {
    const key = newKey();
    const content = new Readable({ read() {} });
    const writing = store.write(key, content);
    writing.catch(() => {});
    await feed(content, size);
    await expect(store.read(key)).rejects.toThrow();
    cut(content);
    await expect(writing).rejects.toThrow(/the connection broke|Premature close/);
    await expect(store.read(key)).rejects.toThrow();
    expect(await listKeys(store)).not.toContain(key);
    expect(await store.removeUnfinished(tomorrow)).toBe(0);
  });

  test("removes unfinished writes of a dead process once they are old enough", async () => {
    const key = newKey();
    const content = new Readable({ read() {} });
    const writing = store.write(key, content);
    writing.catch(() => {});
    await feed(content, 11 * megabyte);
    expect(await store.removeUnfinished(yesterday)).toBe(0);
    await waitUntil(async () => expect(await store.removeUnfinished(tomorrow)).toBe(1));
    content.destroy(new Error("unreferenced from now on"));
    await expect(writing).rejects.toThrow();
  });

  test("streams 128 MB through no more memory than 32 MB, in both directions", {
    tags: ["nightly"],
  }, async () => {
    /** Checks the memory every few megabytes. */
    const watched = (content: Readable, memory: RetainedMemory) => {
      let unseen = 0;
      return content.map((chunk: Buffer) => {
        unseen += chunk.length;
        if (unseen < 4 * megabyte) return chunk;
        unseen = 0;
        memory.look();
        return chunk;
      });
    };
    /** The most that is held while so much is written and read. */
    const mostRetained = async (size: number) => {
      const key = newKey();
      const memory = new RetainedMemory();
      const { sha256: written } = await store.write(key, watched(randomStream(size), memory));
      const digest = createHash("sha256");
      for await (const chunk of watched(await store.read(key), memory)) digest.update(chunk as Buffer);
      expect(digest.digest("hex")).toBe(written);
      return memory.most;
    };
    const usual = await mostRetained(32 * megabyte);
    expect(await mostRetained(128 * megabyte)).toBeLessThan(usual + 16 * megabyte);
  });
});

function newKey(): string {
  return blobKey(tenantId, randomUUID());
}

/** In chunks, as from a network. */
function streamOf(bytes: Buffer): Readable {
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += 65_536)
    pieces.push(bytes.subarray(start, start + 65_536));
  return Readable.from(pieces);
}

function randomStream(size: number): Readable {
  return Readable.from(
    (function* () {
      for (let sent = 0; sent < size; sent += 65_536) yield randomBytes(65_536);
    })(),
  );
}

/** Pushes this many bytes and waits until they are consumed. */
async function feed(content: Readable, size: number): Promise<void> {
  for (let sent = 0; sent < size; sent += 100_000) content.push(randomBytes(Math.min(100_000, size - sent)));
  await waitUntil(() => expect(content.readableLength).toBe(0));
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
