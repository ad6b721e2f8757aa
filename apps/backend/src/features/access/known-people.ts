import { type RawBuilder, sql } from "kysely";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { isKnown } from "./is-known.ts";
import type { Principal } from "./principals-store.ts";

const mostPeople = 1_000;

/** Of these people, those the caller knows: a query. Nobody else has a name here. */
export function knownPeople(context: CommandContext, ids: readonly string[]): Promise<RawBuilder<Principal>> {
  return queryOf(context, sql<boolean>`principal.id = any(${[...ids]}::uuid[])`);
}

/**
 * Everybody the caller knows who is called so: by e-mail address, by the whole name or by a part of it, in any case. A
 * former member counts, whose files are still there.
 */
export async function findKnownPeople(context: CommandContext, text: string): Promise<Principal[]> {
  const wanted = text.trim().toLowerCase();
  const isCalled = wanted.includes("@")
    ? sql<boolean>`lower(principal.email) = ${wanted}`
    : sql<boolean>`(lower(principal.name) = ${wanted} or ${wanted} = any(string_to_array(lower(principal.name), ' ')))`;
  const { rows } = await (await queryOf(context, isCalled)).execute(context.transaction.db);
  return rows;
}

async function queryOf(
  context: CommandContext,
  isWanted: RawBuilder<boolean>,
): Promise<RawBuilder<Principal>> {
  const { tenantId } = context.transaction;
  // guard: owners-are-known
  const isVisible = await isKnown(context, sql.ref("principal.id"));
  return sql<Principal>`
    select principal.id, principal.kind, principal.name, principal.email from app.principal as principal
    where principal.tenant_id = ${tenantId} and principal.kind <> 'group' and ${isWanted} and ${isVisible}
    order by principal.id limit ${mostPeople}`;
}
