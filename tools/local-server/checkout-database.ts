import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";

/**
 * Named after the checkout's real path, so that two clones on one machine never share a database; a test that starts
 * the whole of `npm run dev` names its own database.
 */
export function checkoutDatabaseName(): string {
  if (process.env.SVC_DEV_DATABASE) return process.env.SVC_DEV_DATABASE;
  const checkout = realpathSync(join(import.meta.dirname, "..", ".."));
  return `svc_dev_${createHash("sha256").update(checkout).digest("hex").slice(0, 8)}`;
}
