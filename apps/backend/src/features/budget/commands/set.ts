import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { type LimitSetting, lockLimit, saveLimit } from "../budget-store.ts";
import { defaultLimitMicros } from "../default-limit.ts";
import { Amount, currency, formatMicros, toMicros } from "../money.ts";
import { monthOf } from "../month.ts";

const StoredLimit = z.object({ limitMicros: z.string().nullable(), version: z.int() });

export default defineCommand({
  summary: "Set the monthly limit for spending on AI models",
  description:
    "Applies to the whole tenant, from this month on. If more than that is already spent, nothing more is spent this " +
    "month; calls in progress are still paid. 0 allows only free models.",
  category: "Search",
  effect: "write",
  agents: "never",
  reach: "inside",
  scopes: ["budget:write"],
  arguments: z.strictObject({ limit: Amount.describe(`Limit in ${currency}, such as 25 or 25.50`) }),
  result: z.object({ limit: z.string(), before: z.string(), currency: z.string() }),
  presentation: {
    as: "text",
    text: ({ limit, before }) =>
      `Set the limit for AI models to ${limit} ${currency} a month (was ${before}).`,
  },
  examples: [
    { command: "budget set --limit 25.50", note: "From now on" },
    { command: "budget set --limit 0", note: "Stops all paid calls" },
  ],
  keywords: ["limit spending", "cap", "cost limit", "quota", "money"],
  failures: ["conflict"],
  async run(context, { limit }) {
    // guard: budget-needs-administrator
    requireAdministrator(context);
    const before = await lockLimit(context.transaction);
    const limitMicros = toMicros(limit);
    if (before.limitMicros === limitMicros) {
      throw new ProblemError("conflict", `The limit is already ${formatMicros(limitMicros)} ${currency}.`);
    }
    const left = { limitMicros, version: before.version + 1 };
    await changeLimit(context, before, left);
    context.recordUndo({ left: stored(left), before: stored(before) });
    return { limit: formatMicros(limitMicros), before: shown(before), currency };
  },
  undo: {
    payload: z.object({ left: StoredLimit, before: StoredLimit }),
    async run(context, { left, before }) {
      requireAdministrator(context);
      const now = await lockLimit(context.transaction);
      if (now.version !== left.version || stored(now).limitMicros !== left.limitMicros) {
        throw new ProblemError("conflict", "The limit was changed after this operation.");
      }
      const limitMicros = before.limitMicros === null ? null : BigInt(before.limitMicros);
      await changeLimit(context, now, { limitMicros, version: before.version });
      return { left: before, before: left };
    },
  },
});

function stored({ limitMicros, version }: LimitSetting): z.output<typeof StoredLimit> {
  return { limitMicros: limitMicros?.toString() ?? null, version };
}

async function changeLimit(context: CommandContext, from: LimitSetting, to: LimitSetting): Promise<void> {
  const month = monthOf(context.now);
  await saveLimit(context.transaction, to, { month, defaultLimitMicros });
  context.recordChange({
    action: "update",
    type: "budget",
    name: "AI models",
    version: from.version,
    before: { limit: shown(from) },
    after: { limit: shown(to) },
  });
}

function shown({ limitMicros }: LimitSetting): string {
  return formatMicros(limitMicros ?? defaultLimitMicros);
}
