import type { Visibility } from "@svc/search/visibility/visible-documents";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { PerTransaction } from "../../platform/commands/per-transaction.ts";
import { allRights } from "../access/access.ts";

const visibilityRead = new PerTransaction<Promise<Visibility>>();

/** What the caller can see, in one workspace or in all: read once per command. */
export function visibilityOf(context: CommandContext, workspaceId?: string): Promise<Visibility> {
  return visibilityRead.once(context.transaction, workspaceId ?? "", () =>
    readVisibility(context, workspaceId),
  );
}

async function readVisibility(context: CommandContext, workspaceId: string | undefined): Promise<Visibility> {
  const rights = [...(await allRights(context))].filter(
    ([id]) => workspaceId === undefined || id === workspaceId,
  );
  const workspaceIds = rights.map(([id]) => id);
  if (context.actor.isAdministrator) return { workspaceIds, scopeIds: "all", doorIds: [] };
  const scopeIds = rights.flatMap(([, some]) => (some.readable === "all" ? [] : some.readable));
  const doors = await Promise.all(context.search.sources.all.map((source) => source.doors?.(context) ?? []));
  return { workspaceIds, scopeIds, doorIds: doors.flat() };
}
