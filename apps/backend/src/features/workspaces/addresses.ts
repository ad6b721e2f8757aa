import { localPrefix } from "@svc/command-router/arguments/address";
import { encodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { listNamesakes, type Workspace } from "./workspaces-store.ts";

/** What belongs before a path so that it works when pasted: nothing in the call's workspace. */
export async function prefixOf(
  context: CommandContext,
  workspace: Pick<Workspace, "id" | "slug" | "name">,
  typed?: string,
): Promise<string> {
  if (isOfCall(context, workspace)) return "";
  if (typed !== undefined) return `${typed}:`;
  if (!context.isForPeople) return `${workspace.slug}:`;
  return (await prefixesOf(context, [workspace.id])).get(workspace.id) ?? "";
}

/** The same for several workspaces by id, with one look-up. */
export async function prefixesOf(
  context: CommandContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const visible = await listNamesakes(context.transaction, ids, { seesAll: context.actor.isAdministrator });
  const bySlug = Map.groupBy(visible, ({ slug }) => slug);
  return new Map(
    ids.map((id) => {
      const shownId = encodeId("workspace", id);
      const workspace = visible.find((each) => each.id === id);
      // A slug that names two workspaces, or a file on the caller's machine, would not open this one.
      const isClear = bySlug.get(workspace?.slug ?? "")?.length === 1 && workspace?.slug !== localPrefix;
      if (!workspace || !isClear) return [id, context.workspace === shownId ? "" : `${shownId}:`];
      return [id, isOfCall(context, workspace) ? "" : `${workspace.slug}:`];
    }),
  );
}

function isOfCall(
  { workspace }: CommandContext,
  { id, slug, name }: Pick<Workspace, "id" | "slug" | "name">,
): boolean {
  return workspace !== undefined && [encodeId("workspace", id), slug, name].includes(workspace);
}
