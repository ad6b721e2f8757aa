import type { TenantScope } from "@svc/database/database";
import type { Embedder } from "@svc/embedding/embedder";
import type { Log } from "../process/log.ts";

/** The vector of a query as PostgreSQL reads it, or why there is none. */
export type QueryVector = { vector: string; reason?: undefined } | { vector?: undefined; reason: string };

/** What commands have of models: no text but a query's is embedded while somebody waits. */
export interface QueryVectors {
  /** What a tenant gets that has chosen none; undefined if the deployment has no embedder. */
  readonly usualModel: string | undefined;
  /** Of the deployment. */
  readonly models: readonly string[];
  /** Undefined if the deployment has no such model. */
  factsOf(model: string): Pick<Embedder, "languages" | "leastSimilarity"> | undefined;
  /** In micro-units; undefined if the deployment has no such model. */
  priceOf(model: string, tokens: number): bigint | undefined;
  /** Without waiting for anybody: undefined if this process has not asked for it lately. */
  known(tenantId: string, model: string, text: string): QueryVector | undefined;
  /** Asks the model, within a second, unless somebody asked the same before. Not in a transaction: it has its own. */
  of(scope: TenantScope, model: string, text: string, log: Log): Promise<QueryVector>;
}

/** Of a model that nobody measured. */
const usualLeastSimilarity = 0.2;

/** Texts that are less similar to a query do not match it. */
export function leastSimilarityOf(queryVectors: QueryVectors, model: string): number {
  return queryVectors.factsOf(model)?.leastSimilarity ?? usualLeastSimilarity;
}

/** Of a deployment without an embedder. */
export const noQueryVectors: QueryVectors = {
  usualModel: undefined,
  models: [],
  factsOf: () => undefined,
  priceOf: () => undefined,
  known: () => undefined,
  of: async () => ({ reason: "no embedder" }),
};
