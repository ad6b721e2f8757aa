import { decodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { findKnownPeople, knownPeople } from "../../../access/access.ts";

interface FoundOwners {
  ids: string[];
  /** Values that name nobody whom the caller knows. */
  missing: string[];
}

/**
 * The people of `owner:`: `me`, an e-mail address, a name or an id, among those the caller knows. Others are answered as
 * if they did not exist. Of namesakes each counts.
 */
export async function findOwners(context: CommandContext, named: readonly string[]): Promise<FoundOwners> {
  const found = new Map<string, string[]>();
  const idOf = (name: string) => decodeId(name, "user", "service", "ai");
  const known = await idsKnown(
    context,
    named.flatMap((name) => idOf(name) ?? []),
  );
  const isName = (name: string) => idOf(name) === undefined && name.toLowerCase() !== "me";
  const names = [...new Set(named.filter(isName))];
  const called = names.length > 0 ? await findKnownPeople(context, names) : new Map<string, string[]>();
  for (const name of new Set(named)) {
    const id = idOf(name);
    if (name.toLowerCase() === "me") found.set(name, [context.actor.id]);
    else if (id !== undefined) found.set(name, known.has(id) ? [id] : []);
    else found.set(name, called.get(name) ?? []);
  }
  return {
    ids: [...new Set([...found.values()].flat())],
    missing: named.filter((name) => found.get(name)?.length === 0),
  };
}

async function idsKnown(context: CommandContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await (await knownPeople(context, ids)).execute(context.transaction.db);
  return new Set(rows.map(({ id }) => id));
}
