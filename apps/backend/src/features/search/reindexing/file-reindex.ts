import type { TenantTransaction } from "@svc/database/database";
import type { SearchScope, SearchSources } from "../../../platform/search/search-source.ts";
import { findOpenReindex, insertReindex, type Reindex } from "./reindex-store.ts";

/** Queues a reindex for the worker, or finds the queued one. */
export async function fileReindex(
  transaction: TenantTransaction,
  sources: SearchSources,
  scope: SearchScope,
): Promise<{ reindex: Reindex; isNew: boolean }> {
  const open = await findOpenReindex(transaction, scope);
  if (open) return { reindex: open, isNew: false };
  const made = await insertReindex(transaction, scope, await countDocuments(transaction, sources, scope));
  if (made) return { reindex: made, isNew: true };
  const faster = await findOpenReindex(transaction, scope);
  if (!faster) throw new Error("the conflicting reindex has disappeared");
  return { reindex: faster, isNew: false };
}

export async function countDocuments(
  transaction: TenantTransaction,
  sources: SearchSources,
  scope: SearchScope,
): Promise<number> {
  let count = 0;
  for (const source of sources.all) count += await source.count(transaction, scope);
  return count;
}
