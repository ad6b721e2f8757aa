import type { TenantTransaction } from "@svc/database/database";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { PerTransaction } from "../../platform/commands/per-transaction.ts";
import { listWorkspaceIds, readAllScopes, readScopes } from "./access-store.ts";
import { Rights, type ScopeRow } from "./rights.ts";

type Asking = Pick<CommandContext, "transaction" | "actor">;
type Holder = Pick<CommandContext["actor"], "id" | "isAdministrator">;

const known = new PerTransaction<Promise<Rights>>();

/** The caller's rights in a workspace, by scope: read once per command, then used from memory. */
export function rightsIn({ transaction, actor }: Asking, workspaceId: string): Promise<Rights> {
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
export function allRights({ transaction, actor }: Asking): Promise<ReadonlyMap<string, Rights>> {
  return everywhere.once(transaction, "all", () => readAllRights(transaction, actor));
}

async function readAllRights(
  transaction: TenantTransaction,
  actor: CommandContext["actor"],
): Promise<ReadonlyMap<string, Rights>> {
  const own = await allRightsOf(transaction, actor);
  const { onBehalfOf } = actor;
  if (!onBehalfOf) return own;
  const others = await allRightsOf(transaction, onBehalfOf);
  const both = [...own].flatMap(([workspaceId, rights]) => {
    const other = isOutside(actor, workspaceId) ? undefined : others.get(workspaceId);
    return other ? [[workspaceId, rights.within(other)] as const] : [];
  });
  return new Map(both.filter(([, rights]) => rights.seesAnything));
}

async function allRightsOf(
  transaction: TenantTransaction,
  { id, isAdministrator }: Holder,
): Promise<ReadonlyMap<string, Rights>> {
  if (isAdministrator) {
    const workspaceIds = await listWorkspaceIds(transaction);
    return new Map(workspaceIds.map((workspaceId) => [workspaceId, Rights.of([], workspaceId, true)]));
  }
  const scopes = Map.groupBy(await readAllScopes(transaction, id), ({ workspaceId }) => workspaceId);
  return new Map(
    [...scopes].map(([workspaceId, some]) => [workspaceId, Rights.of(some, workspaceId, false)]),
  );
}

/** A session for one workspace sees no other. */
function isOutside({ onBehalfOf }: CommandContext["actor"], workspaceId: string): boolean {
  // guard: sessions-stay-in-their-workspace
  return onBehalfOf?.workspaceId !== undefined && onBehalfOf.workspaceId !== workspaceId;
}

/** For callers that read their own scopes together with something else. */
export async function rememberRights(
  { transaction, actor }: Asking,
  workspaceId: string,
  scopes: readonly ScopeRow[],
): Promise<Rights> {
  asked.of(transaction).set(workspaceId, true);
  const rights = limitRights(
    transaction,
    workspaceId,
    actor,
    Rights.of(scopes, workspaceId, actor.isAdministrator),
  );
  known.of(transaction).set(workspaceId, rights);
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
  actor: CommandContext["actor"],
): Promise<Rights> {
  return limitRights(transaction, workspaceId, actor, await rightsOf(transaction, workspaceId, actor));
}

/** Whoever acts for somebody else may do what both may. */
async function limitRights(
  transaction: TenantTransaction,
  workspaceId: string,
  actor: CommandContext["actor"],
  own: Rights,
): Promise<Rights> {
  if (!actor.onBehalfOf) return own;
  if (isOutside(actor, workspaceId)) return Rights.of([], workspaceId, false);
  return own.within(await rightsOf(transaction, workspaceId, actor.onBehalfOf));
}

async function rightsOf(
  transaction: TenantTransaction,
  workspaceId: string,
  { id, isAdministrator }: Holder,
): Promise<Rights> {
  return Rights.of(await readScopes(transaction, workspaceId, id), workspaceId, isAdministrator);
}
