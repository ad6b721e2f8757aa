import { estimateTokens } from "@svc/unicode/estimate-tokens";

/** What `nextCursor`, `leftOut`, labels of untrusted text and the brackets around hits add. */
const around = 70;

interface PageOfHits<Hit> {
  items: Hit[];
  nextCursor?: string;
  /** How many were cut off. */
  leftOut?: number;
}

interface Budget {
  maxTokens: number;
  /** What else is in the answer. */
  others: object;
  cursorAfter: (hits: number) => string | undefined;
}

/**
 * The first hits of a page that cost a language model at most so many tokens together with everything else in the
 * answer, as `--format json` prints it. What is left out is counted, and the cursor continues with it.
 */
export function fitTokens<Hit>(
  page: PageOfHits<Hit>,
  { maxTokens, others, cursorAfter }: Budget,
): PageOfHits<Hit> {
  const { items, nextCursor = "" } = page;
  const budget = maxTokens - tokensOf(others) - around;
  const costs = costsUpTo(budget, items);
  const fits = (hits: number, cursor: string) =>
    (costs[hits] ?? Number.POSITIVE_INFINITY) + tokensOf(cursor) <= budget;
  if (fits(items.length, nextCursor)) return page;
  for (let hits = Math.min(costs.length, items.length) - 1; hits > 0; hits -= 1) {
    const cursor = cursorAfter(hits);
    if (cursor !== undefined && fits(hits, cursor)) {
      return { items: items.slice(0, hits), nextCursor: cursor, leftOut: items.length - hits };
    }
  }
  return { items: [], leftOut: items.length };
}

/** What the first 0, 1, 2 … items cost, as far as the budget goes: a large page is not measured for a small budget. */
function costsUpTo(budget: number, items: readonly unknown[]): number[] {
  const costs = [0];
  for (const item of items) {
    const cost = (costs.at(-1) ?? 0) + tokensOf(item);
    if (cost > budget) break;
    costs.push(cost);
  }
  return costs;
}

function tokensOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value, null, 2));
}
