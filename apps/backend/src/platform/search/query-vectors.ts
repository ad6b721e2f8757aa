import type { TenantScope } from "@svc/database/database";
import type { Embedder } from "@svc/embedding/embedder";
import type { Log } from "../process/log.ts";
import { type MeaningObstacle, meaningObstacles } from "./meaning-obstacles.ts";

/** The vector of a query as PostgreSQL reads it, or why there is none. */
export type QueryVector = { vector: string } | ({ vector?: undefined } & MeaningObstacle);

/** The part of models that commands use: only queries are embedded while somebody waits. */
export interface QueryVectors {
  /** The default of tenants that have chosen none; undefined if the deployment has no embedder. */
  readonly usualModel: string | undefined;
  /** Of the deployment. */
  readonly models: readonly string[];
  /** Undefined if the deployment has no such model. */
  factsOf(model: string): Pick<Embedder, "languages" | "leastSimilarity"> | undefined;
  /** In micro-units; undefined if the deployment has no such model. */
  priceOf(model: string, tokens: number): bigint | undefined;
  /** Does not wait: undefined if this process has not asked for it recently. */
  known(tenantId: string, model: string, text: string): QueryVector | undefined;
  /**
   * Asks the model, within a second, unless somebody asked the same before. Call it outside a transaction, because it
   * opens its own.
   */
  of(scope: TenantScope, model: string, text: string, log: Log): Promise<QueryVector>;
}

/** For a model without measurements. */
const usualLeastSimilarity = 0.2;

/** Texts that are less similar to a query do not match it. */
export function leastSimilarityOf(queryVectors: QueryVectors, model: string): number {
  return queryVectors.factsOf(model)?.leastSimilarity ?? usualLeastSimilarity;
}

/** For a deployment without an embedder. */
export const noQueryVectors: QueryVectors = {
  usualModel: undefined,
  models: [],
  factsOf: () => undefined,
  priceOf: () => undefined,
  known: () => undefined,
  of: async () => meaningObstacles.noEmbedder,
};
