import type { SortOrder } from "@svc/search/ranking/sorted/sort-documents";
import { type RawBuilder, sql } from "kysely";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import type { Question } from "../parse/question.ts";

/** The newest, the largest and the beginning of the alphabet come first. Undefined for relevance. */
export function sortOrder(
  { search, transaction: { tenantId } }: CommandContext,
  { sort }: Pick<Question, "sort">,
): SortOrder | undefined {
  const keys = search.sources.all.map((source) => source.sortKeys(tenantId));
  const descending = (key: RawBuilder<unknown>): SortOrder => ({ key, type: "bigint", isDescending: true });
  switch (sort) {
    case "relevance":
      return undefined;
    case "updated":
      return descending(microseconds(sql`document.updated_at`));
    case "created":
      return descending(microseconds(sql`coalesce(${sql.join(keys.map(({ createdAt }) => createdAt))})`));
    case "size":
      return descending(sql`coalesce(${sql.join(keys.flatMap(({ size }) => size ?? []))}, -1)`);
    case "name":
      return { key: sql`document.whole_name`, type: "text", isDescending: false };
  }
}

/** A cursor carries them, and milliseconds would skip hits. */
function microseconds(time: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((extract(epoch from ${time}) * 1000000)::bigint, 0)`;
}
