import { findBlob } from "../../platform/blobs/blobs.ts";
import { nobody } from "../../platform/identity/nobody.ts";
import type { JobContext } from "../../platform/jobs/define-job.ts";
import type { Turn } from "../../platform/jobs/define-turns.ts";
import { extractText } from "../../platform/text/extract-text.ts";
import { passingOutcomes } from "../../platform/text/readers/extraction.ts";
import { claimRetry, giveBackRetry, type Retry, storeRetry, tenantsToReadAgain } from "./retry-store.ts";

type Parts = Pick<JobContext, "database" | "blobStore" | "staging" | "log" | "now" | "signal">;

/** Some may have nothing to read: their documents are in the trash. */
const triedTenants = 20;

/** To read a document of any tenant that has some due, except those that have their share of this process. */
export async function claimReading(parts: Parts, served: readonly string[]): Promise<Turn | undefined> {
  const { database, now } = parts;
  const due = await tenantsToReadAgain(database, now, triedTenants + served.length);
  for (const { tenantId } of due) {
    if (served.includes(tenantId)) continue;
    const retry = await database.withTenant({ tenantId, actorId: nobody }, "write", (transaction) =>
      claimRetry(transaction, now),
    );
    if (retry) return { tenantId, take: () => readDocument(parts, tenantId, retry) };
  }
  return undefined;
}

async function readDocument(parts: Parts, tenantId: string, retry: Retry): Promise<void> {
  const { database, log, now, signal } = parts;
  const scope = { tenantId, actorId: nobody };
  try {
    const extraction = await read(parts, tenantId, retry);
    const isFinal = !passingOutcomes.includes(extraction.outcome);
    if (isFinal) {
      await database.withTenant(scope, "write", (transaction) => storeRetry(transaction, retry, extraction));
    }
    const { nodeId: node, attempts } = retry;
    log.info({ tenant: tenantId, node, attempts, outcome: extraction.outcome }, "retried reading a document");
  } catch (error) {
    if (!signal?.aborted) throw error;
    await database.withTenant(scope, "write", (transaction) => giveBackRetry(transaction, retry, now));
  }
}

async function read({ database, blobStore, staging, signal }: Parts, tenantId: string, retry: Retry) {
  const owner = { tenant: tenantId, actor: nobody };
  const { key, size } = await database.withTenant({ tenantId, actorId: nobody }, "read", (transaction) =>
    findBlob(transaction, retry.sha256),
  );
  return staging.withCopy(
    owner,
    () => blobStore.read(key),
    (path) =>
      extractText({ path, name: retry.name, size }, { signal, share: { tenant: tenantId, member: nobody } }),
  );
}
