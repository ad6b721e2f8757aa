import type { Visibility } from "@svc/search/visible-documents";
import type { CommandContext } from "../../platform/command-context.ts";
import { allRights } from "../access/access.ts";

/** What the caller may see, in one workspace or in all. */
export async function visibilityOf(context: CommandContext, workspaceId?: string): Promise<Visibility> {
  const rights = [...(await allRights(context))].filter(
    ([id]) => workspaceId === undefined || id === workspaceId,
  );
  const workspaceIds = rights.map(([id]) => id);
  if (context.actor.isAdministrator) return { workspaceIds, scopeIds: "all", doorIds: [] };
  const scopeIds = rights.flatMap(([, some]) => (some.readable === "all" ? [] : some.readable));
  const doors = await Promise.all(context.searchSources.all.map((source) => source.doors?.(context) ?? []));
  return { workspaceIds, scopeIds, doorIds: doors.flat() };
}
