/** What other features may know of the query log. */

export { ownQueries, popularQueries } from "./begun-queries.ts";
export { keepQuery } from "./keep-query.ts";
export {
  allowLog,
  type FrequentQuery,
  frequentQueries,
  isRefused,
  refuseLog,
  vainQueries,
} from "./query-log-store.ts";
