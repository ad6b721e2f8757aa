import type { BlobCollection } from "./blobs/blob-collection.ts";
import type { BlobStore } from "./blobs/blob-store.ts";
import type { Log } from "./log.ts";
import type { Staging } from "./staging.ts";

export interface JobContext {
  /** The worker's own statements; a job that works for a tenant names it. */
  sweepExpired(batch: number): Promise<number>;
  blobCollection: Pick<BlobCollection, "collect" | "findOrphans">;
  blobStore: BlobStore;
  staging: Staging;
  log: Log;
  now: Date;
  signal: AbortSignal | undefined;
}

export interface JobDefinition {
  /** Five fields, UTC. */
  cron: string;
  run(context: JobContext): Promise<void>;
}

export function defineJob(definition: JobDefinition): JobDefinition {
  return definition;
}
