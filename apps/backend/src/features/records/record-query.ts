import { createHash } from "node:crypto";
import { usageError } from "@svc/command-router/arguments/usage-error";
import type { Violation } from "@svc/protocol/problem";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { CollectionPlace } from "../collections/collections.ts";
import { readFilter } from "./record-filter.ts";
import { type Order, readSort, type SortKey } from "./record-order.ts";
import { WrongValue } from "./record-value.ts";
import type { Listing } from "./records-store.ts";

export const queryArguments = {
  filter: z
    .array(z.string().min(1).max(1_000))
    .max(20)
    .default([])
    .describe("Only matching records: a field, one of = != < <= > >= ~ (contains), and a value"),
  sort: z
    .array(z.string().min(1).max(100))
    .max(3)
    .default([])
    .describe(
      "Field to sort by, or createdAt or updatedAt; a leading dash sorts descending (--sort=-revenue)",
    ),
};

export interface QueryArguments {
  filter: readonly string[];
  sort: readonly string[];
}

export interface RecordQuery extends Order {
  listing: Pick<Listing, "readable" | "collectionId" | "conditions" | "order">;
}

/** Filters and order as typed. Names become keys of the collection's fields, values become parameters. */
export async function readQuery(
  context: CommandContext,
  command: string,
  { collection, rights }: CollectionPlace,
  { filter, sort }: QueryArguments,
): Promise<RecordQuery> {
  const violations: Violation[] = [];
  const conditions: RawBuilder<boolean>[] = [];
  for (const typed of filter) {
    const condition = await readFilter(context, collection, typed);
    if (condition instanceof WrongValue)
      violations.push({ argument: "--filter", message: condition.message });
    else conditions.push(condition);
  }
  const keys: SortKey[] = [];
  for (const typed of sort) {
    const key = readSort(collection, typed);
    if (key instanceof WrongValue) violations.push({ argument: "--sort", message: key.message });
    else keys.push(key);
  }
  if (violations.length > 0) throw usageError({ path: command }, violations);
  const order = keys.map(({ expression, downwards }) =>
    downwards ? sql`${expression} desc nulls last` : sql`${expression} asc nulls last`,
  );
  return {
    listing: { readable: rights.readable, collectionId: collection.id, conditions, order },
    keys,
    digest: createHash("sha256")
      .update(JSON.stringify([collection.id, filter, sort]))
      .digest("base64url")
      .slice(0, 12),
  };
}
