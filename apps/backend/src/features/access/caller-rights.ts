import type { TenantTransaction } from "@svc/database/database";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { PerTransaction } from "../../platform/commands/per-transaction.ts";
import { listWorkspaceIds, readAllScopes, readScopes } from "./access-store.ts";
import { Rights, type ScopeRow } from "./rights.ts";

const known = new PerTransaction<Promise<Rights>>();

/** The caller's rights in a workspace, by scope: read once per command, then used from memory. */
export function rightsIn(
  { transaction, actor }: Pick<CommandContext, "transaction" | "actor">,
  workspaceId: string,
): Promise<Rights> {
  asked.of(transaction).set(workspaceId, true);
  return known.once(transaction, workspaceId, () => readRights(transaction, workspaceId, actor));
}

const asked = new PerTransaction<true>();

/** Workspaces in which the command has read its caller's rights so far. */
export function workspacesAskedAbout({ transaction }: Pick<CommandContext, "transaction">): string[] {
  return [...asked.of(transaction).keys()];
}

const everywhere = new PerTransaction<Promise<ReadonlyMap<string, Rights>>>();

/** The same in every workspace that the caller can see a part of, by workspace id. */
export function allRights({
  transaction,
  actor,
}: Pick<CommandContext, "transaction" | "actor">): Promise<ReadonlyMap<string, Rights>> {
  return everywhere.once(transaction, "all", () => readAllRights(transaction, actor));
}

async function readAllRights(
  transaction: TenantTransaction,
  { id, isAdministrator }: CommandContext["actor"],
): Promise<ReadonlyMap<string, Rights>> {
  if (isAdministrator) {
    const workspaceIds = await listWorkspaceIds(transaction);
    return new Map(workspaceIds.map((workspaceId) => [workspaceId, new Rights([], workspaceId, true)]));
  }
  const scopes = Map.groupBy(await readAllScopes(transaction, id), ({ workspaceId }) => workspaceId);
  return new Map(
    [...scopes].map(([workspaceId, some]) => [workspaceId, new Rights(some, workspaceId, false)]),
  );
}

/** For callers that read the scopes together with something else. */
export function rememberRights(
  { transaction, actor }: Pick<CommandContext, "transaction" | "actor">,
  workspaceId: string,
  scopes: readonly ScopeRow[],
): Rights {
  const rights = new Rights(scopes, workspaceId, actor.isAdministrator);
  asked.of(transaction).set(workspaceId, true);
  known.of(transaction).set(workspaceId, Promise.resolve(rights));
  return rights;
}

/** After a list was changed. */
export function forgetRights({ transaction }: Pick<CommandContext, "transaction">): void {
  known.forget(transaction);
  everywhere.forget(transaction);
}

async function readRights(
  transaction: TenantTransaction,
  workspaceId: string,
  { id, isAdministrator }: CommandContext["actor"],
): Promise<Rights> {
  return new Rights(await readScopes(transaction, workspaceId, id), workspaceId, isAdministrator);
}
