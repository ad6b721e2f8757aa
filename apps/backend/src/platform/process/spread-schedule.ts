import { createHash } from "node:crypto";
import { nextRun } from "./cron.ts";

/**
 * The next time of a schedule that many tenants share: each is late by its own, fixed part of the window, so that they
 * do not all start at once.
 */
export function nextSpreadRun(
  cron: string,
  { tenantId, windowMillis }: { tenantId: string; windowMillis: number },
  after: Date,
): Date {
  const delay = Math.floor(shareOf(tenantId) * windowMillis);
  const next = nextRun(cron, new Date(after.getTime() - delay));
  return new Date(next.getTime() + delay);
}

/** From 0 to 1. By a hash, because ids of tenants begin with the time of their creation. */
function shareOf(tenantId: string): number {
  return createHash("sha256").update(tenantId).digest().readUInt32BE() / 2 ** 32;
}
