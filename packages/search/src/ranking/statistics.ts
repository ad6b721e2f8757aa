import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import type { Language } from "../analyser/latin-languages.ts";
import { VisibilityCache } from "../visibility/visibility-cache.ts";
import { type Reach, type Source, visiblePlaces } from "../visibility/visible-documents.ts";
import { withinTime } from "../visibility/within-time.ts";
import type { Sampled } from "./sample.ts";
import { spokenLanguages } from "./spoken-languages.ts";

/**
 * What ranking needs to know about the documents that a caller may see, and no others: hidden documents must not
 * change the caller's answers.
 */
export interface Statistics extends Sampled {
  /** All documents of the tenant, visible or not: affects how to search, but not the answer. */
  all: number;
  averageLength: number;
  reach: Reach;
  /** Languages of texts. */
  spoken: readonly Language[];
}

/** Up to this number all matches are ranked and counted exactly. */
const few = 3_000;
const many = 20_000;

/** A search does not wait longer for statistics, in milliseconds: it goes on with what it has. */
export const statisticsMillis = 300;

/** Of that, for their languages. */
const spokenMillis = 150;

/** Assumed if they cannot be read in time: the order of hits is then a little worse, and nothing is missing. */
const assumed: Statistics = {
  documents: 100_000,
  all: 100_000,
  averageLength: 250,
  reach: "row",
  spoken: [],
};

/** How long to cache, in milliseconds: for few documents, which are quickly counted, and for many. */
const remembered = { fewFor: 20_000, manyFor: 600_000 };

interface CacheOptions extends Partial<typeof remembered>, Pick<Sampled, "mostSampled"> {
  entries?: number;
}

/** Cached for a while: they change slowly, and slightly old ones rank just as well. */
export class StatisticsCache {
  readonly #byVisibility: VisibilityCache<Statistics>;
  readonly #remembered: typeof remembered;
  readonly #mostSampled: number | undefined;

  constructor({ entries, mostSampled, ...options }: CacheOptions = {}) {
    this.#byVisibility = new VisibilityCache(entries);
    this.#mostSampled = mostSampled;
    this.#remembered = { ...remembered, ...options };
  }

  of(transaction: TenantTransaction, source: Omit<Source, "reach">): Promise<Statistics> {
    const { fewFor, manyFor } = this.#remembered;
    return this.#byVisibility.of(
      transaction,
      source.visibility,
      async () =>
        (await withinTime(transaction, statisticsMillis, () =>
          readStatistics(transaction, source, this.#mostSampled),
        )) ?? assumed,
      (read) => {
        if (read === assumed) return 0;
        return read.documents > many ? manyFor : fewFor;
      },
    );
  }
}

async function readStatistics(
  transaction: TenantTransaction,
  source: Omit<Source, "reach">,
  mostSampled: number | undefined,
): Promise<Statistics> {
  const { db, tenantId } = transaction;
  const places = visiblePlaces(tenantId, source.visibility, source.filters);
  // What was appended and not added up yet counts too.
  // guard: lengths-of-visible
  const { rows } = await sql<{ documents: number; length: number; all: number; places: number }>`
    ${plannedAnew} with ${places},
    counted as (
      select place_id, documents, length from app.search_place_count where tenant_id = ${tenantId}
      union all
      select place_id, documents, length from app.search_place_delta where tenant_id = ${tenantId})
    select coalesce(sum(documents), 0)::bigint as documents, coalesce(sum(length), 0)::bigint as length,
      (select coalesce(sum(documents), 0)::bigint from (
        select documents from app.search_shelf_count where tenant_id = ${tenantId}
        union all
        select documents from app.search_place_delta where tenant_id = ${tenantId})) as "all",
      (select count(*) from place) as places
    from counted where place_id in (select id from place)`.execute(db);
  const { documents, length, all, places: seen } = rows[0] ?? { documents: 0, length: 0, all: 0, places: 0 };
  const lookedThrough = seen + source.visibility.doorIds.length;
  const averageLength = Math.max(1, documents === 0 ? 0 : length / documents);
  const reach = reachOf(documents, all, lookedThrough);
  const spoken = await withinTime(transaction, spokenMillis, () =>
    spokenLanguages(transaction, { ...source, reach }, { documents, mostSampled }),
  );
  return { documents, all, averageLength, reach, spoken: spoken ?? [], mostSampled };
}

/** Each is searched separately in the index; if the index is not used, each row is compared with each. */
const fewPlaces = 500;

function reachOf(documents: number, all: number, places: number): Reach {
  if (documents <= few && all > 5 * documents) return "place";
  return documents < 0.4 * all && places <= fewPlaces ? "index" : "row";
}
