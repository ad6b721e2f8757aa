import type { CommandContext } from "../../platform/command-context.ts";
import { type LoggedQuery, writeQueries } from "./query-log-store.ts";

/** Longer ones are somebody's text, not what he looks for. */
const longest = 500;
/** Two queries of somebody are one while he types. */
const typingMillis = 10_000;

/** By tenant, until they are written together. */
const waiting = new Map<string, LoggedQuery[]>();

/** Remembers what somebody looked for, when nobody waits for it any more. */
export function keepQuery(context: CommandContext, query: string, hits: number): void {
  const { transaction, actor, now } = context;
  const { tenantId } = transaction;
  const normalised = query.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
  if (normalised === "" || normalised.length > longest) return;
  const entry = { actorId: actor.id, query: query.trim(), normalised, hits, at: now };
  const others = waiting.get(tenantId);
  if (others) {
    const before = others.findLastIndex((other) => other.actorId === actor.id && isSameTyping(other, entry));
    if (before >= 0) others.splice(before, 1);
    others.push(entry);
    return;
  }
  waiting.set(tenantId, [entry]);
  let taken: LoggedQuery[] | undefined;
  const isTaken = context.later(async (write) => {
    taken ??= waiting.get(tenantId) ?? [];
    waiting.delete(tenantId);
    await writeQueries(write, taken, typingMillis);
  });
  if (!isTaken) waiting.delete(tenantId);
}

/** He went on with the same words, or took back a part of the last of them. */
export function isSameTyping(
  before: Pick<LoggedQuery, "normalised" | "at">,
  after: Pick<LoggedQuery, "normalised" | "at">,
): boolean {
  if (Math.abs(after.at.getTime() - before.at.getTime()) > typingMillis) return false;
  if (after.normalised.startsWith(before.normalised)) return true;
  return (
    before.normalised.startsWith(after.normalised) &&
    !before.normalised.slice(after.normalised.length).includes(" ")
  );
}
