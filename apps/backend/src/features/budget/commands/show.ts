import { exactTimeIn, type View } from "@svc/rendering/view";
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
  /** False if this is the deployment's default. */
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
  summary: "Show the budget for AI models and what was spent this month",
  description:
    "The held amount is the most that calls in progress can cost. If a process dies during a call, that call counts " +
    "with the amount held for it. Months are in UTC.",
  category: "Search",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["budget:read"],
  arguments: z.strictObject({}),
  result: Result,
  presentation: { as: "text", text: budgetText },
  examples: [{ command: "budget show", note: "The current month" }],
  keywords: ["cost", "spending", "usage", "money", "bill", "quota"],
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

function budgetText(budget: z.output<typeof Result>, view: View): string {
  const { month, limit, isLimitSet, spent, held, left, uses, alerts, renewsAt } = budget;
  const notSet = isLimitSet ? "" : "  (not set; set it with `svc budget set --limit 25`)";
  const width = Math.max(...[limit, spent, held, left].map(({ length }) => length));
  const line = (label: string, amount: string) => `  ${label.padEnd(6)} ${amount.padStart(width)}`;
  return [
    `AI models in ${month}, in ${budget.currency}:`,
    `${line("limit", limit)}${notSet}`,
    line("spent", spent),
    line("held", held),
    line("left", left),
    ...uses.map(
      ({ purpose, model = "an unknown model", calls, tokens, spent: cost }) =>
        `${purpose === "query" ? "Queries" : "Documents"} by ${model}: ${cost}, ${calls} ${calls === 1 ? "call" : "calls"}, ${tokens} tokens`,
    ),
    ...alerts.map(({ percent, at }) => `${percent} % was reached at ${exactTimeIn(view, at)}`),
    `The budget renews at ${exactTimeIn(view, renewsAt)}`,
  ].join("\n");
}
