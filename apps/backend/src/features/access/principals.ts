import { naming } from "@svc/command-router/arguments/value-kind";
import { type Next, pointTo } from "@svc/protocol/next";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { isKnown } from "./is-known.ts";
import { findPrincipals, type Principal } from "./principals-store.ts";

export type { Principal };

export const Person = z
  .string()
  .min(1)
  .max(320)
  .meta(naming("person"))
  .describe("E-mail address, name or id");

export function principalId({ id, kind }: Pick<Principal, "id" | "kind">): string {
  return encodeId(kind, id);
}

/** Somebody the caller knows, by address, name or id. Everyone else is answered as if they did not exist. */
export async function requirePrincipal(
  context: CommandContext,
  person: string,
  elsewhere?: Elsewhere,
): Promise<Principal> {
  // guard: known-people-only
  return findOne(context, person, await isKnown(context, sql.ref("principal.id")), elsewhere);
}

/**
 * The same for callers who can invite people: an address or an id finds anybody in the tenant, a name only people they
 * know. Check the caller's right to invite first, or this reveals who exists.
 */
export async function requireInvitee(context: CommandContext, person: string): Promise<Principal> {
  const isExact = person.includes("@") || idOf(person) !== undefined;
  return isExact ? findOne(context, person, sql<boolean>`true`) : requirePrincipal(context, person);
}

async function findOne(
  { transaction }: CommandContext,
  person: string,
  isVisible: RawBuilder<boolean>,
  elsewhere: Elsewhere = alike(person),
): Promise<Principal> {
  const id = idOf(person);
  const match = id === undefined ? { text: person } : { id };
  const [found, another] = await findPrincipals(transaction, match, isVisible);
  if (!found) {
    throw new ProblemError("not_found", `Nobody matches \`${person}\`.`, {
      ...elsewhere,
      hint: "Check the spelling. A name works only for people you share something with; for anybody else, use the e-mail address or the id.",
    });
  }
  if (another) {
    throw new ProblemError("conflict", `More than one person matches \`${person}\`.`, {
      ...elsewhere,
      hint: "Use the e-mail address or the id.",
    });
  }
  return found;
}

/** Where to look for the one that was meant. */
type Elsewhere = { hint: string; next: Next };

/** People of the same first name, or whatever somebody typed first of it. */
function alike(person: string): Elsewhere {
  const [first = person] = person.split(/[\s@]+/).filter((word) => word !== "");
  return pointTo({ command: "people find", arguments: { name: [first] } }, "to see who that can be.");
}

function idOf(person: string): string | undefined {
  return decodeId(person, "user", "service", "ai", "group");
}
