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
 * Everybody the caller knows who is called so: by e-mail address, by the whole name or by a word of it, in any case. A
 * former member counts, whose files are still there. For all names in one statement, which reads all people.
 */
export async function findKnownPeople(
  context: CommandContext,
  names: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const wanted = names.map((name) => name.trim().toLowerCase());
  const isCalled = sql<boolean>`(lower(principal.email) = any(${wanted}::text[]) or lower(principal.name) = any(${wanted}::text[])
    or string_to_array(lower(principal.name), ' ') && ${wanted}::text[])`;
  const { rows } = await (await queryOf(context, isCalled)).execute(context.transaction.db);
  return new Map(
    names.map((name, index) => [
      name,
      rows.filter((person) => isNamed(person, wanted[index] ?? "")).map(({ id }) => id),
    ]),
  );
}

/** A name never counts as an address, because people choose their own names at an identity provider. */
function isNamed({ name, email }: Principal, wanted: string): boolean {
  if (wanted.includes("@")) return email?.toLowerCase() === wanted;
  const called = name.toLowerCase();
  return called === wanted || called.split(" ").includes(wanted);
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
