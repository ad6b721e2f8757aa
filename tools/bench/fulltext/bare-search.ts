import { Database } from "@svc/database/database";
import { findShelves } from "@svc/search/index/shelf";
import { parseQuery } from "@svc/search/query/parse-query";
import { countWords, weighWords } from "@svc/search/ranking/count-words";
import { rankDocuments } from "@svc/search/ranking/rank-documents";
import { StatisticsCache } from "@svc/search/ranking/statistics";
import type { Visibility } from "@svc/search/visibility/visible-documents";
import type pg from "pg";

export interface BareCaller {
  tenantId: string;
  visibility: Visibility;
}

const filters = { entityTypes: ["FILE", "FOLDER", "WORKSPACE", "RECORD"] } as const;
const top = 20;

/**
 * The same first twenty by SQL alone: the caller and their rights are given, nothing is read back, no snippet is
 * made, no answer is written. Candidates are bounded as in the product; without bounds it is the naive statement.
 */
export class BareSearch implements AsyncDisposable {
  readonly #database: Database;
  readonly #statistics = new StatisticsCache();

  constructor(databaseUrl: string, connections: number) {
    const url = new URL(databaseUrl);
    // As in the product, where the transaction says so.
    url.searchParams.set("options", "-c jit=off");
    this.#database = new Database({ url: url.href, maxConnections: connections });
  }

  bounded({ tenantId, visibility }: BareCaller, typed: string): Promise<string[]> {
    return this.#database.withTenant({ tenantId, actorId: tenantId }, "read", async (transaction) => {
      const { all: shelves } = await findShelves(transaction, { hold: false });
      const place = { tenantId, shelves, visibility, filters };
      const statistics = await this.#statistics.of(transaction, place);
      const query = {
        parsed: parseQuery(typed),
        content: true,
        source: { ...place, reach: statistics.reach },
      };
      const frequencies = await countWords(transaction, query, statistics, { shown: false });
      const weights = weighWords(query.parsed, statistics.documents, frequencies);
      const ranking = { weights, averageLength: statistics.averageLength, now: new Date() };
      const { documents } = await rankDocuments(transaction, query, {
        ranking,
        statistics,
        frequencies,
        limit: top,
      });
      return documents.map(({ id }) => id);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#database.close();
  }
}

/** The obvious statement: all matches, ordered by `ts_rank`. */
export async function searchNaively(
  client: pg.Client,
  { tenantId, visibility: { workspaceIds, scopeIds } }: BareCaller,
  typed: string,
): Promise<void> {
  await client.query(
    `select id from app.search_document
     where tenant_id = $1 and place_id in (
         select id from app.search_place where tenant_id = $1 and not is_hidden and workspace_id = any($2::uuid[])
           and ($3::uuid[] is null or acl_scope_id = any($3::uuid[])))
       and body_tsv @@ websearch_to_tsquery('simple', $4)
     order by ts_rank(body_tsv, websearch_to_tsquery('simple', $4)) desc limit ${top}`,
    [tenantId, workspaceIds, scopeIds === "all" ? null : scopeIds, typed.trim().split(/\s+/).join(" or ")],
  );
}
