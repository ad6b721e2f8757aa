import { spreadDelay } from "@svc/database/spread-delay";
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
  const delay = spreadDelay(tenantId, windowMillis);
  const next = nextRun(cron, new Date(after.getTime() - delay));
  return new Date(next.getTime() + delay);
}
