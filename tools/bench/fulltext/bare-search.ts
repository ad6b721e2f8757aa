import type { TenantTransaction } from "@svc/database/database";
import { findShelves } from "@svc/search/index/shelf";
import { parseQuery } from "@svc/search/query/parse-query";
import { phraseQueries } from "@svc/search/query/query-words";
import { has, rankedColumns } from "@svc/search/ranking/candidates";
import { lookUpWords, weighWords } from "@svc/search/ranking/count-words";
import { findSome, lookupOf } from "@svc/search/ranking/levels";
import { rankCandidates } from "@svc/search/ranking/rank-candidates";
import { rankDocuments } from "@svc/search/ranking/rank-documents";
import { StatisticsCache } from "@svc/search/ranking/statistics";
import { rankedWords } from "@svc/search/ranking/word-score";
import { type Visibility, visibleDocuments } from "@svc/search/visibility/visible-documents";
import { sql } from "kysely";
import type pg from "pg";

export interface BareCaller {
  tenantId: string;
  visibility: Visibility;
}

const filters = { entityTypes: ["FILE", "FOLDER", "WORKSPACE", "RECORD"] } as const;
const top = 20;

/** The product's statements without the product: what the caller may see is given, nothing is read back. */
export class BareSearch {
  readonly #statistics = new StatisticsCache();

  /** The ids of the first twenty. */
  async best(transaction: TenantTransaction, visibility: Visibility, typed: string): Promise<string[]> {
    const { query, ...asked } = await this.#prepare(transaction, visibility, typed);
    const { documents } = await rankDocuments(transaction, query, asked);
    return documents.map(({ id }) => id);
  }

  /** The same by ranking every match; returns how many there are. */
  async rankEvery(transaction: TenantTransaction, visibility: Visibility, typed: string): Promise<number> {
    const { query, ...asked } = await this.#prepare(transaction, visibility, typed);
    const words = rankedWords(query, asked.ranking.weights);
    const conditions = [
      findSome({ ...lookupOf(query, words), phrases: [] }),
      ...phraseQueries(query.parsed.phrases).map((phrase) => has(phrase, true)),
    ];
    const { candidates } = await rankCandidates(transaction, query, {
      ...asked,
      words,
      isWordless: false,
      byWords: (name) => sql`${name} as materialized (
        select ${rankedColumns(query, words)} ${visibleDocuments(query.source)} and ${sql.join(conditions, sql` and `)})`,
    });
    return candidates;
  }

  async #prepare(transaction: TenantTransaction, visibility: Visibility, typed: string) {
    const { tenantId } = transaction;
    const { all: shelves } = await findShelves(transaction, { hold: false });
    const place = { tenantId, shelves, visibility, filters };
    const statistics = await this.#statistics.of(transaction, place);
    const parsed = parseQuery(typed, { isTyping: true });
    const searched = { parsed, content: true, source: { ...place, reach: statistics.reach } };
    const { frequencies, paths } = await lookUpWords(transaction, searched, statistics, { shown: false });
    const query = { ...searched, paths: paths ?? [] };
    const weights = weighWords(parsed, statistics.documents, frequencies);
    const ranking = { weights, averageLength: statistics.averageLength, now: new Date() };
    return { query, ranking, statistics, frequencies, limit: top };
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
