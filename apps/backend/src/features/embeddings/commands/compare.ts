import { ProblemError } from "@svc/protocol/problem";
import { queryText } from "@svc/search/query/query-text";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { markOrigin } from "../../../platform/process/dependency.ts";
import { type FrequentQuery, frequentQueries } from "../../query-log/query-log.ts";
import { nearestTitles } from "../nearest-titles.ts";
import { readSetting } from "../setting-store.ts";

const compared = 10;
/** Queries of a single person are private. */
const leastPeople = 2;
const sinceMillis = 90 * 86_400_000;

interface AskedQuery extends FrequentQuery {
  /** By model. */
  vectors: ReadonlyMap<string, string>;
}

interface Comparison<Query> {
  active: string;
  other: string;
  queries: Query[];
}

export default defineCommand({
  summary: "Compare two models on real queries",
  description:
    "Compares the current model with the other one: of the ten closest files, how many both " +
    "find, and which ones only one of them finds. Uses the most common queries and your own, but no query of another single person. " +
    "Calls of paid models count against the budget.",
  category: "Search",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:read"],
  arguments: z.strictObject({
    limit: z.int().min(1).max(50).default(20).meta({ description: "Maximum number of queries", short: "n" }),
  }),
  result: z.object({
    active: z.string(),
    other: z.string(),
    items: z.array(
      z.object({
        query: z.string(),
        people: z.int(),
        /** How many files both find. */
        same: z.int(),
        activeOnly: z.array(z.string()),
        otherOnly: z.array(z.string()),
      }),
    ),
  }),
  presentation: {
    as: "table",
    columns: [
      { field: "query", label: "Looked for", priority: 9 },
      { field: "people", label: "People", align: "right", priority: 6, as: "count" },
      { field: "same", label: "Same", align: "right", priority: 8, as: "count" },
      { field: "activeOnly", label: "Now only", priority: 5 },
      { field: "otherOnly", label: "Other only", priority: 7 },
    ],
    empty: "No queries to compare.",
  },
  examples: [{ command: "embeddings compare", note: "Before `embeddings switch`, or before switching back" }],
  keywords: ["evaluate models", "quality", "which model"],
  failures: ["conflict", "unavailable"],
  async run(context, { limit }) {
    requireAdministrator(context);
    const comparison = context.memo<Comparison<AskedQuery>>("comparison");
    if (!comparison.value) {
      const chosen = await chooseQueries(context, limit);
      return comparison.waitFor(() => askBoth(context, chosen));
    }
    const { active, other, queries } = comparison.value;
    const nearestTo = await nearestTitles(context);
    const items = [];
    for (const { query, people, vectors } of queries) {
      const closest = (model: string) =>
        nearestTo({ model, vector: vectors.get(model) ?? "", files: compared });
      const byActive = await closest(active);
      const byOther = await closest(other);
      items.push({
        query,
        people,
        same: [...byActive.keys()].filter((id) => byOther.has(id)).length,
        activeOnly: without(byActive, byOther),
        otherOnly: without(byOther, byActive),
      });
    }
    return { active, other, items };
  },
});

async function chooseQueries(
  { transaction, actor, now }: CommandContext,
  limit: number,
): Promise<Comparison<FrequentQuery>> {
  const { model: active, nextModel, previousModel } = await readSetting(transaction);
  const other = nextModel ?? previousModel;
  if (active === null || other === null) {
    throw new ProblemError("conflict", "There is no second model to compare with.", {
      hint: "Add one with `svc embeddings adopt`, then run `svc embeddings run`.",
    });
  }
  const since = new Date(now.getTime() - sinceMillis);
  const queries = await frequentQueries(transaction, { since, leastPeople, own: actor.id, limit });
  return { active, other, queries };
}

/** Embeds each query with each model, while no transaction waits for it. */
async function askBoth(
  { transaction: { tenantId, actorId }, search: { queryVectors }, log }: CommandContext,
  { active, other, queries }: Comparison<FrequentQuery>,
): Promise<Comparison<AskedQuery>> {
  const scope = { tenantId, actorId };
  const withVectors: AskedQuery[] = [];
  for (const query of queries) {
    const text = queryText(query.query);
    if (text === "") continue;
    const vectors = new Map<string, string>();
    for (const model of [active, other]) {
      const asked = await queryVectors.of(scope, model, text, log);
      if (asked.vector === undefined) {
        const problem = new ProblemError("unavailable", `${model} is not available: ${asked.reason}.`);
        throw markOrigin(problem, "model");
      }
      vectors.set(model, asked.vector);
    }
    withVectors.push({ ...query, vectors });
  }
  return { active, other, queries: withVectors };
}

function without(files: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([id, title]) => (others.has(id) ? [] : [title]));
}
