import { localPrefix } from "@svc/command-router/arguments/address";
import { encodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { visibleTo } from "./visible-to.ts";
import { type Namesake, namesakesOf, type Workspace } from "./workspaces-store.ts";

/** What belongs before a path so that it works when pasted: nothing in the call's workspace. */
export async function prefixOf(
  context: CommandContext,
  workspace: Pick<Workspace, "id" | "slug" | "name">,
  typed?: string,
): Promise<string> {
  if (isOfCall(context, workspace)) return "";
  if (typed !== undefined) return `${typed}:`;
  if (!context.isForPeople) return `${workspace.slug}:`;
  const addressed = (await addressesOf(context, [workspace.id])).get(workspace.id);
  return addressed?.prefix ?? `${encodeId("workspace", workspace.id)}:`;
}

/** A workspace, and what belongs before a path in it so that it works anywhere. */
export interface AddressedWorkspace extends Namesake {
  prefix: string;
}

/** These workspaces, as far as the caller can see them. */
export async function addressesOf(
  context: CommandContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AddressedWorkspace>> {
  const visible = await namesakesOf(context.transaction, ids, await visibleTo(context)).execute();
  return addressWorkspaces(ids, visible);
}

/** Those of the ids among them and their namesakes. */
export function addressWorkspaces(
  ids: readonly string[],
  visible: readonly Namesake[],
): ReadonlyMap<string, AddressedWorkspace> {
  const bySlug = Map.groupBy(visible, ({ slug }) => slug);
  return new Map(
    visible
      .filter(({ id }) => ids.includes(id))
      .map(({ id, slug, name }) => {
        // A slug that names two workspaces, or a file on the caller's machine, would not open this one.
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
