import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { isCron, notCron } from "../../../platform/process/cron.ts";
import { changeSetting, SettingUndo, undoSetting } from "../change-setting.ts";
import { planRun } from "../run-store.ts";
import { lockSetting } from "../setting-store.ts";

/** The deployment's default. */
const usual = "usual";

export default defineCommand({
  summary: "Set when files are embedded",
  description:
    "Applies to the whole tenant. Five fields as in crontab, in UTC: minute, hour, day of the month, month, day of the week. " +
    "`usual` restores the deployment's default, normally once a week, at a fixed distance from that of other tenants.",
  category: "Search",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:write"],
  arguments: z.strictObject({
    cron: z
      .string()
      .max(100)
      .refine((text) => text === usual || isCron(text), { error: notCron })
      .describe("Schedule, such as `0 3 * * *` for every night at three, or `usual`"),
  }),
  result: z.object({ cron: z.string(), before: z.string() }),
  presentation: {
    as: "text",
    text: ({ cron, before }) => `Set the embedding schedule to ${cron} (was ${before}).`,
  },
  examples: [
    { command: 'embeddings schedule --cron "0 3 * * *"', note: "Every night at three, UTC" },
    { command: "embeddings schedule --cron usual", note: "The default of the deployment" },
  ],
  keywords: ["cron", "weekly", "daily", "when"],
  failures: ["conflict"],
  async run(context, { cron }) {
    requireAdministrator(context);
    const before = await lockSetting(context.transaction);
    const after = { ...before, cron: cron === usual ? null : cron };
    if (before.cron === after.cron) throw new ProblemError("conflict", `The schedule is already ${cron}.`);
    await changeSetting(context, before, after);
    await planRun(context.transaction, null);
    return { cron, before: before.cron ?? usual };
  },
  undo: {
    payload: SettingUndo,
    async run(context, payload) {
      requireAdministrator(context);
      const redo = await undoSetting(context, payload);
      await planRun(context.transaction, null);
      return redo;
    },
  },
});
