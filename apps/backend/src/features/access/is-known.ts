import { type RawBuilder, sql } from "kysely";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { principalsOf } from "./access-store.ts";
import { allRights } from "./caller-rights.ts";

/**
 * Whether the caller knows a principal, as SQL: themselves, their groups, everyone with an entry in a list that they can
 * read, and everyone in one of these groups. Administrators know everyone (ADR 36).
 */
export async function isKnown(
  context: CommandContext,
  principalId: RawBuilder<unknown>,
): Promise<RawBuilder<boolean>> {
  const { transaction, actor } = context;
  if (actor.isAdministrator) return sql<boolean>`true`;
  const { tenantId, actorId } = transaction;
  // In a session also the person, and what both can read: the groups of either alone stay theirs.
  // guard: known-to-both
  const self = actor.onBehalfOf
    ? sql`array[${actorId}::uuid, ${actor.onBehalfOf.id}::uuid]`
    : principalsOf(tenantId, actorId);
  const lists = [...(await allRights(context)).values()].flatMap(({ readable }) =>
    readable === "all" ? [] : readable,
  );
  // From the principal upwards: a person is in few groups, but a group can hold everyone in the tenant.
  // guard: known-by-readable-lists
  return sql<boolean>`exists (
    select from unnest(${principalsOf(tenantId, principalId)}) as held (id)
    where held.id = any(${self})
      or exists (
        select from app.acl_entry as entry
        where entry.tenant_id = ${tenantId} and entry.principal_id = held.id and entry.scope_id = any(${lists}::uuid[])))`;
}
