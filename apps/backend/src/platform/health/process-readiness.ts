import type { Database } from "@svc/database/database";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { Log } from "../process/log.ts";
import type { Embedders } from "../search/embedders.ts";
import type { Staging } from "../uploads/staging.ts";
import { databaseCheck } from "./database-check.ts";
import { dependencyCheck } from "./dependency-check.ts";
import type { Probe } from "./probe.ts";
import { type Finding, Readiness } from "./readiness.ts";
import { schemaCheck } from "./schema-check.ts";

interface ProcessParts {
  database: Pick<Database, "ping" | "withDirectory">;
  blobStore: Pick<BlobStore, "check">;
  /** Its disk is part of the store. */
  staging: Pick<Staging, "check">;
  embedders: Pick<Embedders, "reach">;
  log: Log;
}

/** What API and worker need alike, and further checks of one of them. */
export function processReadiness(
  { database, blobStore, staging, embedders, log }: ProcessParts,
  furtherChecks: readonly Probe<Finding>[] = [],
): Readiness {
  return new Readiness({
    checks: [databaseCheck(database), schemaCheck(database), ...furtherChecks],
    dependencies: {
      store: dependencyCheck(async (signal) => {
        await blobStore.check(signal);
        // guard: no-room-degrades
        await staging.check();
      }),
      model: dependencyCheck((signal) => embedders.reach(signal)),
    },
    log,
  });
}
