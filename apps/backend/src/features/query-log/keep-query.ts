import type { CommandContext } from "../../platform/commands/command-context.ts";
import { TenantBatcher } from "../../platform/jobs/tenant-batcher.ts";
import { type LoggedQuery, writeQueries } from "./query-log-store.ts";

/** Longer ones are somebody's text, not what he looks for. */
const longest = 500;
/** Two queries of somebody are one while he types. */
const typingMillis = 10_000;

const asked = new TenantBatcher<LoggedQuery>((write, queries) => writeQueries(write, queries, typingMillis));

/** Remembers what somebody looked for, when nobody waits for it any more. */
export function keepQuery(context: CommandContext, query: string, hits: number): void {
  const { actor, now } = context;
  const normalised = query.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
  if (normalised === "" || normalised.length > longest) return;
  const entry = { actorId: actor.id, query: query.trim(), normalised, hits, at: now };
  asked.add(context, entry, (other) => other.actorId === actor.id && isSameTyping(other, entry));
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
