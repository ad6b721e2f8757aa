import { sql } from "kysely";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { PerTransaction } from "../../platform/commands/per-transaction.ts";
import { visibilityOf } from "./visibility.ts";

const workspacesRead = new PerTransaction<Promise<string[]>>();

/** Of the workspaces that the caller sees, those searched by meaning now: vectors of others may still exist. */
export function workspacesByMeaning(
  context: CommandContext,
  workspaceId: string | undefined,
): Promise<string[]> {
  return workspacesRead.once(context.transaction, workspaceId ?? "", () =>
    readWorkspaces(context, workspaceId),
  );
}

async function readWorkspaces(context: CommandContext, workspaceId: string | undefined): Promise<string[]> {
  const { db, tenantId } = context.transaction;
  const { workspaceIds } = await visibilityOf(context, workspaceId);
  if (workspaceIds.length === 0) return [];
  // guard: semantic-opt-out
  const { rows } = await sql<{ id: string }>`
    select id from app.workspace
    where tenant_id = ${tenantId} and id = any(${[...workspaceIds]}::uuid[]) and semantic_search_enabled`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
