import type { CommandContext } from "../../platform/commands/command-context.ts";
import { listPrincipals, readChain, readEntries } from "./access-store.ts";
import { type Role, roles } from "./role.ts";
import type { Subject } from "./subject.ts";

/** One access entry, and the subject of its list. */
export interface Reason {
  role: Role;
  principalId: string;
  /** Null for everyone in the workspace. */
  name: string | null;
  email: string | null;
  kind: "user" | "service" | "ai" | "group" | null;
  /** Path, or the name of the workspace or collection. */
  at: string;
  isInherited: boolean;
}

/** The entries that apply to a subject, in lists that the caller can read: its own list first, then those above. */
export async function entriesFor(context: CommandContext, subject: Subject): Promise<Reason[]> {
  const chain = await readChain(context.transaction, subject.scopeId);
  const inForce = chain.slice(0, chain.findIndex(({ inherits }) => !inherits) + 1 || chain.length);
  // guard: readable-lists-only
  return reasonsIn(context, subject, inForce.filter(isReadable(subject)), chain);
}

/** A guest of one file reads the list of that file, but not the lists of the folders and the workspace above it. */
function isReadable({ rights }: Subject): (list: { id: string }) => boolean {
  return ({ id }) => rights.roleIn(id) !== undefined;
}

/** The entries that give one principal access, as far as the caller can read them, strongest first. */
export async function reasonsFor(
  context: CommandContext,
  subject: Subject,
  principalId: string,
): Promise<Reason[]> {
  const { transaction } = context;
  const chain = await readChain(transaction, subject.scopeId);
  const mine = new Set(await listPrincipals(transaction, principalId));
  const top = (await reasonsIn(context, subject, chain.slice(-1), chain)).filter((reason) =>
    mine.has(reason.principalId),
  );
  const isMember = top.length > 0;
  // As in Rights: an owner of the workspace stays an owner below a restriction.
  const ownsAll = chain.slice(-1).every(isReadable(subject))
    ? top.filter(({ role }) => role === "owner")
    : [];
  const counting = (await entriesFor(context, subject)).filter((reason) =>
    reason.kind === null ? isMember : mine.has(reason.principalId),
  );
  const known = new Set(counting.map(({ principalId: id, at }) => `${id} ${at}`));
  const all = [...counting, ...ownsAll.filter(({ principalId: id, at }) => !known.has(`${id} ${at}`))];
  return all.sort((a, b) => roles.indexOf(b.role) - roles.indexOf(a.role));
}

async function reasonsIn(
  context: CommandContext,
  subject: Subject,
  scopes: readonly { id: string; anchorId: string }[],
  chain: readonly { id: string }[],
): Promise<Reason[]> {
  const names = await context.sharedThings.namesAbove(context, subject);
  const entries = await readEntries(
    context.transaction,
    scopes.map(({ id }) => id),
  );
  const order = new Map(chain.map(({ id }, index) => [id, index]));
  return entries
    .sort((a, b) => (order.get(a.scopeId) ?? 0) - (order.get(b.scopeId) ?? 0))
    .map(({ scopeId, role, principalId, name, email, kind }) => {
      const anchorId = scopes.find(({ id }) => id === scopeId)?.anchorId ?? subject.id;
      const at = anchorId === subject.id ? subject.name : (names.get(anchorId) ?? subject.workspaceName);
      return { role, principalId, name, email, kind, at, isInherited: anchorId !== subject.id };
    });
}
