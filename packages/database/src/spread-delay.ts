import { createHash } from "node:crypto";

/** How late a tenant starts what many start at the same time: its own, fixed part of a window. */
export function spreadDelay(tenantId: string, windowMillis: number): number {
  return Math.floor(shareOf(tenantId) * windowMillis);
}

/** From 0 to 1. By a hash, because ids of tenants begin with the time of their creation. */
function shareOf(tenantId: string): number {
  return createHash("sha256").update(tenantId).digest().readUInt32BE() / 2 ** 32;
}
