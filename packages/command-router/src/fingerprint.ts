import { createHash } from "node:crypto";
import type { Call } from "./call.ts";

/** A digest of command, arguments, workspace and more: a retry must match its first call, a commit its preview. */
export function fingerprintOf(
  { command, workspace }: Pick<Call<never>, "workspace"> & { command: { path: string } },
  args: unknown,
  ...more: unknown[]
): string {
  return createHash("sha256")
    .update(JSON.stringify([command.path, args, workspace ?? null, ...more]))
    .digest("base64url");
}
