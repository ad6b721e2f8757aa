import { type Ignored, notFound } from "@svc/search/query/ignored";
import type { QueryFilters } from "@svc/search/query/read-filters";
import { findNamedFolders } from "@svc/search/visibility/find-named-folders";
import type { Filters, Source } from "@svc/search/visibility/visible-documents";
import { withinTime } from "@svc/search/visibility/within-time";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { timeLimits } from "../time-limits.ts";
import { findOwners } from "./find-owners.ts";
import { findPlaces } from "./search-places.ts";

type Place = Omit<Source, "filters" | "reach">;

interface OperatorFilters {
  filters: Omit<Filters, "entityTypes">;
  /** The words of `path:` took too long, and were left out. */
  isCut: boolean;
  ignored: Ignored[];
}

/**
 * The operators of a query as filters. A value of `in:` or `owner:` that names nothing visible finds nothing, beside the
 * other values, and is named in the answer.
 */
export async function operatorFilters(
  context: CommandContext,
  place: Place,
  asked: QueryFilters,
): Promise<OperatorFilters> {
  const within = await findPlaces(context, place.visibility, asked.in);
  const notWithin = await findPlaces(context, place.visibility, asked.notIn);
  const owners = await findOwners(context, asked.owners);
  const notOwners = await findOwners(context, asked.notOwners);
  const found = await findPaths(context, place, asked);
  const [onPaths = [], notOnPaths = []] = found ?? [];
  const missing = (operator: "in" | "owner", sign: string, values: readonly string[]) =>
    values.map((value) =>
      notFound(`${sign}${operator}:${/\s/u.test(value) ? `"${value}"` : value}`, operator),
    );
  return {
    filters: {
      // An empty list finds nothing.
      ...(asked.in.length > 0 ? { within: within.places } : {}),
      ...some("notWithin", notWithin.all),
      ...some("types", asked.types),
      ...some("excludedTypes", asked.excludedTypes),
      ...some("extensions", asked.extensions),
      ...some("excludedExtensions", asked.excludedExtensions),
      ...(asked.owners.length > 0 ? { ownerIds: owners.ids } : {}),
      ...some("excludedOwnerIds", notOwners.ids),
      ...(asked.from ? { from: asked.from } : {}),
      ...(asked.before ? { before: asked.before } : {}),
      ...anyName("named", asked.titles),
      ...anyName("notNamed", asked.excludedTitles),
      ...some("onPaths", onPaths),
      ...some("notOnPaths", notOnPaths),
    },
    isCut: found === undefined,
    ignored: [
      ...missing("in", "", within.missing),
      ...missing("in", "-", notWithin.missing),
      ...missing("owner", "", owners.missing),
      ...missing("owner", "-", notOwners.missing),
    ],
  };
}

/** Undefined if it took too long. */
async function findPaths({ transaction }: CommandContext, place: Place, asked: QueryFilters) {
  if (asked.paths.length + asked.excludedPaths.length === 0) return [];
  return withinTime(transaction, timeLimits.shortMillis, async () => [
    await findNamedFolders(transaction, place, asked.paths),
    await findNamedFolders(transaction, place, asked.excludedPaths),
  ]);
}

function some<Key extends keyof Filters, Value>(key: Key, values: readonly Value[]) {
  return (values.length > 0 ? { [key]: values } : {}) as { [K in Key]?: readonly Value[] };
}

function anyName<Key extends "named" | "notNamed">(key: Key, queries: readonly string[]) {
  const any = queries.map((query) => `(${query})`).join(" | ");
  return (queries.length > 0 ? { [key]: any } : {}) as { [K in Key]?: string };
}
