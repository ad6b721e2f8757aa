import { localPrefix } from "@svc/command-router/arguments/address";
import { encodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { visibleTo } from "./visible-to.ts";
import { type Namesake, namesakesOf, type VisibleWorkspaces, type Workspace } from "./workspaces-store.ts";

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
async function prefixesOf(
  context: CommandContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const visible = await workspacesNamed(context, ids, await visibleTo(context)).execute();
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

/** A workspace, and what belongs before a path in it so that it works anywhere. */
export interface AddressedWorkspace extends Namesake {
  prefix: string;
}

/** A query for these workspaces and their namesakes, as far as the caller can see them. */
export function workspacesNamed(
  { transaction }: Pick<CommandContext, "transaction">,
  ids: readonly string[],
  visible: VisibleWorkspaces,
) {
  return namesakesOf(transaction, ids, visible);
}

/** Those of the ids, of what that query found. */
export function addressWorkspaces(
  ids: readonly string[],
  visible: readonly Namesake[],
): ReadonlyMap<string, AddressedWorkspace> {
  const bySlug = Map.groupBy(visible, ({ slug }) => slug);
  return new Map(
    visible
      .filter(({ id }) => ids.includes(id))
      .map(({ id, slug, name }) => {
        const isClear = bySlug.get(slug)?.length === 1 && slug !== localPrefix;
        return [id, { id, slug, name, prefix: `${isClear ? slug : encodeId("workspace", id)}:` }];
      }),
  );
}

function isOfCall(
  { workspace }: CommandContext,
  { id, slug, name }: Pick<Workspace, "id" | "slug" | "name">,
): boolean {
  return workspace !== undefined && [encodeId("workspace", id), slug, name].includes(workspace);
}
