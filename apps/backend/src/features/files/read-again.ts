import { findBlob } from "../../platform/blobs/blobs.ts";
import { nobody } from "../../platform/identity/nobody.ts";
import type { JobContext } from "../../platform/jobs/define-job.ts";
import { forEachTenant } from "../../platform/jobs/for-each-tenant.ts";
import { extractText } from "../../platform/text/extract-text.ts";
import { passingOutcomes } from "../../platform/text/readers/extraction.ts";
import { claimRetry, giveBackRetry, type Retry, storeRetry, tenantsToReadAgain } from "./retry-store.ts";

type Parts = Pick<JobContext, "database" | "blobStore" | "staging" | "log" | "now" | "signal">;

const tenantsAtOnce = 100;
/** Each keeps a core busy. */
const lanes = 2;

/** Retries one document of each tenant that has some due. Returns how many. */
export async function readOneOfEachTenant(parts: Parts): Promise<number> {
  // The lanes take from the same list, so a slow document holds up only one of them.
  const tenants = (await tenantsToReadAgain(parts.database, parts.now, tenantsAtOnce)).values();
  let documents = 0;
  const lane = () =>
    forEachTenant(tenants, parts, async ({ tenantId }) => {
      if (await readNext(parts, tenantId)) documents += 1;
    });
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return documents;
}

/** False if this tenant has nothing to read. */
async function readNext(parts: Parts, tenantId: string): Promise<boolean> {
  const { database, log, now, signal } = parts;
  const scope = { tenantId, actorId: nobody };
  const retry = await database.withTenant(scope, "write", (transaction) => claimRetry(transaction, now));
  if (!retry) return false;
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
  return true;
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
