import { forgetPlace } from "@svc/search/index/places";
import { sql } from "kysely";
import { blobKey } from "../../platform/blobs/blob-store.ts";
import { nobody } from "../../platform/identity/nobody.ts";
import type { JobContext } from "../../platform/jobs/define-job.ts";

interface ExpiredVisitor {
  tenantId: string;
  id: string;
  workspaceId: string;
}

const atOnce = 100;

/** Removes visitors whose time is over, with everything that they left; returns how many. */
export async function removeExpired({
  database,
  blobStore,
  log,
  signal,
}: Pick<JobContext, "database" | "blobStore" | "log" | "signal">): Promise<number> {
  const expired = await database.withDirectory(async (db) => {
    const { rows } = await sql<ExpiredVisitor>`
      select tenant_id as "tenantId", id, workspace_id as "workspaceId"
      from app.expired_demo_visitors(${atOnce})`.execute(db);
    return rows;
  });
  let removed = 0;
  for (const visitor of expired) {
    if (signal?.aborted) break;
    try {
      await removeVisitor({ database, blobStore }, visitor);
      removed += 1;
    } catch (error) {
      // An upload of theirs may still run. The next run removes them, and others need not wait for it.
      log.warn({ err: error, visitor: visitor.id }, "could not remove a visitor of the demo yet");
    }
  }
  return removed;
}

/** Rows first: a crash in between leaves objects without a row, which the sweep removes. */
async function removeVisitor(
  { database, blobStore }: Pick<JobContext, "database" | "blobStore">,
  { tenantId, id, workspaceId }: ExpiredVisitor,
): Promise<void> {
  const keys = await database.withTenant({ tenantId, actorId: nobody }, "write", async (transaction) => {
    const { rows } = await sql<{ key: string }>`
      select app.remove_demo_visitor(${id}) as key`.execute(transaction.db);
    await forgetPlace(transaction, workspaceId);
    return rows.map(({ key }) => blobKey(tenantId, key));
  });
  await Promise.all(keys.map((key) => blobStore.remove(key)));
}
