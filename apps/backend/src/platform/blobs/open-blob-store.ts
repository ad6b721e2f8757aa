import { AttributedStore } from "./attributed-store.ts";
import type { BlobStore } from "./blob-store.ts";
import { FileSystemStore } from "./file-system-store.ts";
import { type S3Bucket, S3Store } from "./s3-store.ts";

export function openBlobStore({ blobFolder, s3 }: { blobFolder: string; s3?: S3Bucket }): BlobStore {
  return new AttributedStore(s3 ? new S3Store(s3) : new FileSystemStore(blobFolder));
}
