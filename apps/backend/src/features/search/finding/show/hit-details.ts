import { encodeId, type IdKind } from "@svc/protocol/typed-id";
import { sql } from "kysely";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { ShownEntity } from "../../../../platform/search/search-source.ts";
import { knownPeople } from "../../../access/access.ts";
import {
  type AddressedWorkspace,
  addressWorkspaces,
  namesakesOf,
  visibleTo,
} from "../../../workspaces/workspaces.ts";

/** Workspaces, and people whom the caller knows, by id. */
export interface Surroundings {
  workspaces: ReadonlyMap<string, AddressedWorkspace>;
  people: ReadonlyMap<string, { id: string; name: string }>;
}

/** What is around hits: in one statement for all of them. */
export async function readSurroundings(
  context: CommandContext,
  ids: { workspaces: readonly string[]; people: readonly string[] },
): Promise<Surroundings> {
  if (ids.workspaces.length + ids.people.length === 0) return { workspaces: new Map(), people: new Map() };
  const { rows } = await sql<{ kind: string; id: string; name: string; slug: string }>`
    select 'workspace' as kind, workspace.id, workspace.name, workspace.slug
    from (${namesakesOf(context.transaction, ids.workspaces, await visibleTo(context))}) as workspace
    union all
    select person.kind, person.id, person.name, '' from (${await knownPeople(context, ids.people)}) as person`.execute(
    context.transaction.db,
  );
  const [visible, people] = [
    rows.filter(({ kind }) => kind === "workspace"),
    rows.filter(({ kind }) => kind !== "workspace"),
  ];
  return {
    workspaces: addressWorkspaces(ids.workspaces, visible),
    people: new Map(people.map(({ id, kind, name }) => [id, { id: encodeId(kind as IdKind, id), name }])),
  };
}

export function surroundingsOf(
  context: CommandContext,
  entities: readonly ShownEntity[],
): Promise<Surroundings> {
  return readSurroundings(context, {
    workspaces: [...new Set(entities.map(({ workspaceId }) => workspaceId))],
    people: [...new Set(entities.flatMap(({ ownerId }) => ownerId ?? []))],
  });
}

/** Where a hit is, and whose it is, so that nobody has to ask again for each. */
export function detailsOf(
  { id, workspaceId, path, parent, ownerId, size, createdAt }: ShownEntity,
  { workspaces, people }: Surroundings,
) {
  const workspace = workspaces.get(workspaceId);
  const owner = people.get(ownerId ?? "");
  const isWorkspace = id === workspaceId;
  return {
    ...(workspace
      ? {
          address: `${workspace.prefix}${path ?? "/"}`,
          workspace: { id: encodeId("workspace", workspaceId), slug: workspace.slug, name: workspace.name },
        }
      : {}),
    ...(isWorkspace ? {} : parentOf(parent, workspace)),
    ...(owner ? { owner } : {}),
    ...(size === undefined ? {} : { size }),
    createdAt: createdAt.toISOString(),
  };
}

/** A file that is in no folder is in its workspace. */
function parentOf(parent: ShownEntity["parent"], workspace: AddressedWorkspace | undefined) {
  if (parent) {
    const { kind, id, name, path } = parent;
    return { parent: { id: encodeId(kind, id), name, ...(path === undefined ? {} : { path }) } };
  }
  if (!workspace) return {};
  return { parent: { id: encodeId("workspace", workspace.id), name: workspace.name, path: "/" } };
}
