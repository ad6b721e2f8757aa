import type { CommandContext } from "../../platform/commands/command-context.ts";
import { TenantBatcher } from "../../platform/jobs/tenant-batcher.ts";
import { type LoggedQuery, writeQueries } from "./query-log-store.ts";

/** Longer queries are pasted text, not searches. */
const longest = 500;
/** Two queries of a person count as one while they type. */
const typingMillis = 10_000;

const asked = new TenantBatcher<LoggedQuery>((write, queries) => writeQueries(write, queries, typingMillis));

/** Records a query after its answer was sent. */
export function keepQuery(context: CommandContext, query: string, hits: number): void {
  const { actor, now, caller } = context;
  // Visitors of the demo leave nothing behind, and what they look for must not be suggested to others.
  // guard: visitors-are-not-logged
  if (caller.credential.kind === "demo_visitor") return;
  // Somebody else's session of this AI member would be offered them.
  // guard: sessions-are-not-logged
  if (actor.onBehalfOf) return;
  const normalised = normaliseQuery(query).trim();
  if (normalised === "" || normalised.length > longest) return;
  const entry = { actorId: actor.id, query: query.trim(), normalised, hits, at: now };
  asked.add(context, entry, (other) => other.actorId === actor.id && isSameTyping(other, entry));
}

/** As queries are counted and compared. */
export function normaliseQuery(query: string): string {
  return query.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ");
}

/** Whether the person continued the same words, or deleted a part of the last one. */
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
