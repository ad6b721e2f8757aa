import { CoverageCache } from "@svc/search/inspecting/coverage";
import { StatisticsCache } from "@svc/search/ranking/statistics";
import { noQueryVectors, type QueryVectors } from "./query-vectors.ts";
import type { RecallCanary } from "./recall-canary.ts";
import type { SearchSources } from "./search-source.ts";

export interface SearchParts {
  sources: SearchSources;
  /** Without it, nothing is found by meaning. */
  queryVectors?: QueryVectors;
  /** Without it, the recall of the vector index is not monitored. */
  recallCanary?: RecallCanary;
  statistics?: StatisticsCache | undefined;
  coverage?: CoverageCache | undefined;
}

/** Everything that searching needs of its process. The entrypoint builds one. */
export class Search {
  /** What can be found, by kind. */
  readonly sources: SearchSources;
  /** To wait for before a transaction, never within one. */
  readonly queryVectors: QueryVectors;
  readonly recallCanary: RecallCanary | undefined;
  /** Of what each caller may see. */
  readonly statistics: StatisticsCache;
  /** How far meaning reaches of that. */
  readonly coverage: CoverageCache;

  constructor({
    sources,
    queryVectors = noQueryVectors,
    recallCanary,
    statistics = new StatisticsCache(),
    coverage = new CoverageCache(),
  }: SearchParts) {
    this.sources = sources;
    this.queryVectors = queryVectors;
    this.recallCanary = recallCanary;
    this.statistics = statistics;
    this.coverage = coverage;
  }
}
