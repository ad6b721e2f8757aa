import type { Database } from "@svc/database/database";
import type { BlobCollection } from "../blobs/blob-collection.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { JobSettings } from "../process/config.ts";
import type { Log } from "../process/log.ts";
import type { Embedders } from "../search/embedders.ts";
import type { Search } from "../search/search.ts";
import type { Staging } from "../uploads/staging.ts";

export interface JobContext {
  /** The worker's own statements; a job that works for a tenant names it. */
  sweepExpired(batch: number): Promise<number>;
  blobCollection: Pick<BlobCollection, "collect" | "findOrphans">;
  blobStore: BlobStore;
  staging: Staging;
  /** As svc_worker, which can read tenants' data and write only the tables of jobs. */
  database: Pick<Database, "withTenant" | "withDirectory" | "clock">;
  search: Pick<Search, "sources">;
  embedders: Embedders;
  settings: JobSettings;
  log: Log;
  /** By the database's clock, as is everything that a row says about time. */
  now: Date;
  /** By the clock of this machine, which gives files their times. */
  machineTime: Date;
  signal: AbortSignal | undefined;
}

export interface JobDefinition {
  /** Five fields, UTC. */
  cron: string;
  /** Also run when a worker starts. */
  atStart?: boolean;
  run(context: JobContext): Promise<void>;
}

export function defineJob(definition: JobDefinition): JobDefinition {
  return definition;
}
