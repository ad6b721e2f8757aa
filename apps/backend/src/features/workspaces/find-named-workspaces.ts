import { sql } from "kysely";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { allRights, hasWords } from "../access/access.ts";
import type { Workspace } from "./workspaces-store.ts";

/** Workspaces with such a name of which the caller sees something. */
export async function findNamedWorkspaces(
  context: CommandContext,
  typed: string,
  limit: number,
): Promise<Pick<Workspace, "id" | "name">[]> {
  const { db, tenantId } = context.transaction;
  const visible = [...(await allRights(context)).keys()];
  // guard: suggest-visible-workspaces
  const { rows } = await sql<Pick<Workspace, "id" | "name">>`
    select workspace.id, workspace.name from app.workspace as workspace
    where workspace.tenant_id = ${tenantId} and workspace.id = any(${visible}::uuid[])
      and workspace.trashed_at is null and ${hasWords(sql.ref("workspace.name"), typed)}
    order by lower(workspace.name), workspace.id limit ${limit}`.execute(db);
  return rows;
}
