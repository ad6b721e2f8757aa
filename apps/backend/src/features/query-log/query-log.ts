/** What other features may know of the query log. */

export { keepQuery } from "./keep-query.ts";
export {
  allowLog,
  type FrequentQuery,
  frequentQueries,
  isRefused,
  refuseLog,
  vainQueries,
} from "./query-log-store.ts";
