import type { CommandContext } from "../../platform/commands/command-context.ts";
import { allRights, rightsIn } from "../access/access.ts";
import type { VisibleWorkspaces, Workspace } from "./workspaces-store.ts";

type Asking = Pick<CommandContext, "transaction" | "actor">;

/** In a session it takes the rights of two to know. */
export async function visibleTo(context: Asking): Promise<VisibleWorkspaces> {
  const { actor } = context;
  if (actor.onBehalfOf) return [...(await allRights(context)).keys()];
  return actor.isAdministrator ? "all" : "shared";
}

/** Rows have the role of the actor alone. */
export async function withRoleOfBoth<Row extends Workspace>(context: Asking, row: Row): Promise<Row> {
  if (!context.actor.onBehalfOf) return row;
  // guard: roles-of-both
  return { ...row, role: (await rightsIn(context, row.id)).roleIn(row.id) ?? null };
}
