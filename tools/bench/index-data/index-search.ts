import { Database, type TenantTransaction } from "@svc/database/database";
import { findShelves } from "@svc/search/index/shelf";
import { parseQuery } from "@svc/search/query/parse-query";
import { countWords, weighWords } from "@svc/search/ranking/count-words";
import { rankDocuments } from "@svc/search/ranking/rank-documents";
import type { RankedPage } from "@svc/search/ranking/ranked-page";
import type { RankedQuery } from "@svc/search/ranking/search-query";
import { type Statistics, StatisticsCache } from "@svc/search/ranking/statistics";
import type { Visibility } from "@svc/search/visibility/visible-documents";
import { withinTime } from "@svc/search/visibility/within-time";

export interface IndexCaller {
  tenantId: string;
  visibility: Visibility;
}

export interface FoundHits {
  hits: number;
  isExact: boolean;
  /** Some took too long: texts were not all searched, or only names were. */
  isPartial: boolean;
}

const filters = { entityTypes: ["FILE", "FOLDER", "WORKSPACE", "RECORD"] } as const;
const limit = 20;
/** After the time limit, for a sample or for names alone. */
const shortMillis = 1_000;

/** The part of a search that depends on how many documents there are, with the time limits of the product by default. */
export class IndexSearch implements AsyncDisposable {
  readonly #database: Database;
  readonly #statistics = new StatisticsCache();

  constructor(databaseUrl: string) {
    this.#database = new Database({ url: databaseUrl, maxConnections: 1 });
  }

  find({ tenantId, visibility }: IndexCaller, typed: string, millis = 1_500): Promise<FoundHits> {
    return this.#database.withTenant({ tenantId, actorId: tenantId }, "read", async (transaction) => {
      const { all: shelves } = await findShelves(transaction, { hold: false });
      const place = { tenantId, shelves, visibility, filters };
      const statistics = await this.#statistics.of(transaction, place);
      const query = {
        parsed: parseQuery(typed, { isTyping: true }),
        content: true,
        source: { ...place, reach: statistics.reach },
        paths: [],
      };
      const find = (some: RankedQuery, limitMillis: number) =>
        withinTime(transaction, limitMillis, () => rank(transaction, some, statistics, limitMillis));
      const found = await find(query, millis);
      if (found && !(found.isTimedOut && found.documents.length === 0)) return summarise(found);
      const sampled = await find({ ...query, isSampled: true }, shortMillis);
      if (sampled?.documents.length) return summarise(sampled);
      return { ...summarise(await find({ ...query, content: false }, shortMillis)), isPartial: true };
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#database.close();
  }
}

async function rank(
  transaction: TenantTransaction,
  query: RankedQuery,
  statistics: Statistics,
  millis: number,
): Promise<RankedPage> {
  const frequencies = await countWords(transaction, query, statistics, { shown: false });
  const weights = weighWords(query.parsed, statistics.documents, frequencies);
  const ranking = { weights, averageLength: statistics.averageLength, now: new Date() };
  return rankDocuments(transaction, query, { ranking, statistics, frequencies, limit, millis });
}

function summarise(page: RankedPage | undefined): FoundHits {
  return {
    hits: page?.documents.length ?? 0,
    isExact: page?.isExact ?? false,
    isPartial: page?.isTimedOut ?? true,
  };
}
