import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { requireWorkspace } from "../../../workspaces/workspaces.ts";

/**
 * The id of the only workspace to search: the one that an argument or `--workspace` names. One that is ambient, or that
 * `svc use` chose, does not narrow: people look for things whose place they have forgotten.
 */
export async function narrowedWorkspace(
  context: CommandContext,
  named: string | undefined,
): Promise<string | undefined> {
  if (named === undefined) {
    const { namedWorkspace } = context;
    return namedWorkspace === undefined ? undefined : idOf(context, namedWorkspace);
  }
  if (decodeId(named, "workspace") !== undefined) return named;
  // As with an id: what does not exist, or is hidden, has no hits.
  return idOf(context, named).catch((error: unknown) => {
    if (error instanceof ProblemError && error.code === "not_found") return named;
    throw error;
  });
}

async function idOf(context: CommandContext, named: string): Promise<string> {
  const { id } = await requireWorkspace(context, named);
  return encodeId("workspace", id);
}
