import { createHash } from "node:crypto";
import type { Change } from "@svc/protocol/exchange";
import type { Call } from "./call.ts";

type Asked = Pick<Call<never>, "workspace"> & { command: { path: string } };

/** A digest of command, arguments, workspace and more: a retry must match its first call, a commit its preview. */
export function fingerprintOf({ command, workspace }: Asked, args: unknown, ...more: unknown[]): string {
  return createHash("sha256")
    .update(JSON.stringify([command.path, args, workspace ?? null, ...more]))
    .digest("base64url");
}

/** Everything that a preview's token and an approval are bound to. */
export async function previewDigest(
  call: Asked,
  args: unknown,
  unit: { changes: readonly Change[]; bound: readonly unknown[]; workspacesUsed(): Promise<string[]> },
): Promise<string> {
  return fingerprintOf(call, args, unit.changes, unit.bound, (await unit.workspacesUsed()).toSorted());
}
