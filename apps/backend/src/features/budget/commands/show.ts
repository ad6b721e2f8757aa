import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { readMonth, readUses } from "../budget-store.ts";
import { defaultLimitMicros } from "../default-limit.ts";
import { currency, formatMicros } from "../money.ts";
import { endOfMonth, monthOf } from "../month.ts";

const Result = z.object({
  month: z.string(),
  currency: z.string(),
  limit: z.string(),
  /** False: the deployment's default. */
  isLimitSet: z.boolean(),
  spent: z.string(),
  held: z.string(),
  left: z.string(),
  uses: z.array(
    z.object({
      purpose: z.enum(["document", "query"]),
      model: z.string().optional(),
      calls: z.int(),
      tokens: z.int(),
      spent: z.string(),
    }),
  ),
  alerts: z.array(z.object({ percent: z.int(), at: z.iso.datetime() })),
  renewsAt: z.iso.datetime(),
});

export default defineCommand({
  summary: "Show what AI models may cost this month, and what they did",
  description:
    "Held is what calls that are under way may cost at most. A call whose end nobody told, because a process died, counts " +
    "with what was held for it. Months are those of UTC.",
  category: "Search",
  effect: "read",
  scopes: ["budget:read"],
  arguments: z.strictObject({}),
  result: Result,
  presentation: { as: "text", text: budgetText },
  examples: [{ command: "budget show", note: "Of this month" }],
  failures: [],
  async run(context) {
    requireAdministrator(context);
    const { transaction, now } = context;
    const month = monthOf(now);
    const budget = await readMonth(transaction, month, defaultLimitMicros);
    const uses = await readUses(transaction, month);
    const alerts = [
      { percent: 80, at: budget.alerted80At },
      { percent: 100, at: budget.alerted100At },
    ];
    return {
      month: month.slice(0, 7),
      currency,
      limit: formatMicros(budget.limitMicros),
      isLimitSet: budget.isLimitSet,
      spent: formatMicros(budget.spentMicros),
      held: formatMicros(budget.heldMicros),
      left: formatMicros(budget.leftMicros),
      uses: uses.map(({ model, micros, ...use }) => ({
        ...use,
        ...(model === null ? {} : { model }),
        spent: formatMicros(micros),
      })),
      alerts: alerts.flatMap(({ percent, at }) => (at ? [{ percent, at: at.toISOString() }] : [])),
      renewsAt: endOfMonth(month).toISOString(),
    };
  },
});

function budgetText(budget: z.output<typeof Result>): string {
  const { month, limit, isLimitSet, spent, held, left, uses, alerts, renewsAt } = budget;
  const notSet = isLimitSet ? "" : "  (nobody set one: `svc budget set --limit 25`)";
  const width = Math.max(...[limit, spent, held, left].map(({ length }) => length));
  const line = (label: string, amount: string) => `  ${label.padEnd(6)} ${amount.padStart(width)}`;
  return [
    `AI models in ${month}, in ${budget.currency}:`,
    `${line("limit", limit)}${notSet}`,
    line("spent", spent),
    line("held", held),
    line("left", left),
    ...uses.map(
      ({ purpose, model = "a model nobody told of", calls, tokens, spent: cost }) =>
        `${purpose === "query" ? "Queries" : "Documents"} by ${model}: ${cost}, ${calls} ${calls === 1 ? "call" : "calls"}, ${tokens} tokens`,
    ),
    ...alerts.map(({ percent, at }) => `${percent} % was spent at ${at}`),
    `It begins anew at ${renewsAt}`,
  ].join("\n");
}
