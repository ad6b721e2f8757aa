import { relieveShelves } from "@svc/search/index/merge-shelf";
import { LRUCache } from "lru-cache";
import type { CommandContext } from "./command-context.ts";

/** One look per tenant in this time, in milliseconds. */
const pause = 5_000;
const looked = new LRUCache<string, true>({ max: 10_000, ttl: pause });

/**
 * After a write: if no worker merges the index, this process does, later, in a separate transaction. Neither this
 * command nor the next one waits for it.
 */
export function relieveIndexLater({ transaction: { tenantId }, later }: CommandContext): void {
  if (looked.has(tenantId)) return;
  looked.set(tenantId, true);
  later(relieveShelves);
}
