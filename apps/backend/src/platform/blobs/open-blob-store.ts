import type { ProcessConfig } from "../config.ts";
import type { BlobStore } from "./blob-store.ts";
import { FileSystemStore } from "./file-system-store.ts";
import { S3Store } from "./s3-store.ts";

export function openBlobStore({ blobFolder, s3 }: Pick<ProcessConfig, "blobFolder" | "s3">): BlobStore {
  return s3 ? new S3Store(s3) : new FileSystemStore(blobFolder);
}
