import type { CommandContext } from "../../platform/commands/command-context.ts";
import { forgetRights, rightsIn, workspacesAskedAbout } from "./caller-rights.ts";

const administratorKey = "administrator";

/** What a command's answer depends on: the caller's rights in the workspaces that the command used. */
export async function addAnswerBasis(context: CommandContext, basis: Map<string, string>): Promise<void> {
  // The command may have moved or purged things with an access list.
  forgetRights(context);
  basis.set(administratorKey, String(context.actor.isAdministrator));
  for (const workspaceId of workspacesAskedAbout(context)) {
    basis.set(workspaceId, (await rightsIn(context, workspaceId)).fingerprint);
  }
}

export async function isBasisUnchanged(
  context: CommandContext,
  basis: ReadonlyMap<string, string>,
): Promise<boolean> {
  for (const [key, before] of basis) {
    const now =
      key === administratorKey
        ? String(context.actor.isAdministrator)
        : (await rightsIn(context, key)).fingerprint;
    if (now !== before) return false;
  }
  return true;
}
