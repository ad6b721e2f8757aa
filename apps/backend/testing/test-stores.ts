import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BlobStore } from "../src/platform/blobs/blob-store.ts";
import { FileSystemStore } from "../src/platform/blobs/file-system-store.ts";
import { S3Store } from "../src/platform/blobs/s3-store.ts";
import { createTestBucket } from "./test-bucket.ts";

interface TestStore {
  store: BlobStore;
  close(): Promise<void>;
}

/** One of each kind, for tests that apply to both: `describe.for(testStores)`. */
export const testStores: readonly { kind: "file system" | "S3"; open(): Promise<TestStore> }[] = [
  {
    kind: "file system",
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), "svc-store-"));
      return { store: new FileSystemStore(folder), close: () => rm(folder, { recursive: true }) };
    },
  },
  {
    kind: "S3",
    open: async () => {
      const bucket = await createTestBucket();
      return { store: new S3Store(bucket), close: bucket.drop };
    },
  },
];

/** Keys of everything that was written, or of what was written before. */
export async function listKeys(store: BlobStore, before = new Date(Date.now() + 60_000)): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(before)) keys.push(key);
  return keys.sort();
}
