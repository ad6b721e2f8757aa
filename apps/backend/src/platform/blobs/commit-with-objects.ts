import type { Database, TenantScope, TenantTransaction } from "@svc/database/database";
import type { Log } from "../process/log.ts";
import type { BlobStore } from "./blob-store.ts";
import { Blobs } from "./blobs.ts";
import type { Content } from "./content.ts";
import { forEach } from "./for-each.ts";
import { PendingObjects } from "./pending-objects.ts";

interface Commit {
  database: Database;
  store: BlobStore;
  scope: TenantScope;
  signal: AbortSignal;
  /** Of the transaction, if it may take longer than usual. */
  limitMillis?: number | undefined;
  log: Log;
}

/** Writes contents to the store, then commits `work`; objects that the commit did not adopt are removed. */
export async function commitWithObjects<T>(
  { database, store, scope, signal, limitMillis, log }: Commit,
  contents: readonly Content[],
  work: (transaction: TenantTransaction, blobs: Blobs) => Promise<T>,
): Promise<T> {
  const pending = new PendingObjects(store, scope.tenantId, signal);
  const removeExcept = (adopted: ReadonlySet<string>) =>
    pending.removeExcept(adopted).catch((error: unknown) => {
      log.error({ err: error }, "objects without a row were not removed; the sweep will remove them");
    });
  let adopted: ReadonlySet<string> = new Set();
  let mayBeCommitted = false;
  try {
    // Before the transaction, because a slow store must hold neither a connection nor a lock.
    await writeAll(pending, contents);
    const result = await database.withTenant(
      scope,
      "write",
      async (transaction) => {
        mayBeCommitted = false;
        const blobs = new Blobs(store, transaction, pending);
        adopted = blobs.adopted;
        const answer = await work(transaction, blobs);
        // A caller who was told that the call was given up, or who left, must not find it done later.
        signal.throwIfAborted();
        mayBeCommitted = true;
        return answer;
      },
      { signal, limitMillis },
    );
    await removeExcept(adopted);
    return result;
  } catch (error) {
    // A commit whose answer was lost may have happened. The sweep later removes what nobody needs.
    if (!mayBeCommitted) await removeExcept(new Set());
    throw error;
  }
}

const writesAtOnce = 8;

async function writeAll(pending: PendingObjects, contents: readonly Content[]): Promise<void> {
  // The same content twice is one object; concurrent writes would make two.
  const distinct = [...new Map(contents.map((content) => [content.sha256, content])).values()];
  await pending.adopt(distinct.filter(hasPlace));
  const others = distinct.filter((content) => !hasPlace(content));
  await forEach(others, writesAtOnce, async (content) => void (await pending.write(content)));
}

function hasPlace(content: Content): content is Content & { place: string } {
  return content.place !== undefined;
}
