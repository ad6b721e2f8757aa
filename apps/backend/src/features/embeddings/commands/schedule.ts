import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { isCron, notCron } from "../../../platform/process/cron.ts";
import { changeSetting, SettingUndo, undoSetting } from "../change-setting.ts";
import { planRun } from "../run-store.ts";
import { lockSetting } from "../setting-store.ts";

/** As the deployment says. */
const usual = "usual";

export default defineCommand({
  summary: "Set when files are embedded",
  description:
    "For the whole tenant. Five fields as in crontab, in UTC: minute, hour, day of the month, month, day of the week. " +
    "`usual` goes back to what the deployment says, by default once a week.",
  category: "Search",
  effect: "write",
  scopes: ["search:write"],
  arguments: z.strictObject({
    cron: z
      .string()
      .max(100)
      .refine((text) => text === usual || isCron(text), { error: notCron })
      .describe("Such as `0 3 * * *` for each night at three, or `usual`"),
  }),
  result: z.object({ cron: z.string(), before: z.string() }),
  presentation: {
    as: "text",
    text: ({ cron, before }) => `Files are embedded at ${cron} (before: ${before}).`,
  },
  examples: [
    { command: 'embeddings schedule --cron "0 3 * * *"', note: "Each night at three, UTC" },
    { command: "embeddings schedule --cron usual", note: "As the deployment says" },
  ],
  failures: ["conflict"],
  async run(context, { cron }) {
    requireAdministrator(context);
    const before = await lockSetting(context.transaction);
    const after = { ...before, cron: cron === usual ? null : cron };
    if (before.cron === after.cron) throw new ProblemError("conflict", `The schedule is ${cron} already.`);
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
