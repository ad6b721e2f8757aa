import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { changeSetting, SettingUndo, undoSetting } from "../change-setting.ts";
import { countMissing } from "../model-store.ts";
import { lockSetting, readSetting } from "../setting-store.ts";

/** For so long both are embedded, and the way back is open; to the end of that day, so that a preview says the same. */
const keptDays = 7;
const dayMillis = 86_400_000;

export default defineCommand({
  summary: "Let the next model answer searches",
  description:
    "From the next search on. The old model's vectors are kept up for a week, so that `operations undo` goes back at once " +
    "and nothing is missing; the run after that drops them. Refused while files are missing that the old model knows.",
  category: "Search",
  effect: "write",
  scopes: ["search:write"],
  arguments: z.strictObject({
    incomplete: z.boolean().default(false).describe("Even if some files are not embedded by it yet"),
  }),
  result: z.object({ model: z.string(), before: z.string(), keptUntil: z.iso.datetime() }),
  presentation: {
    as: "text",
    text: ({ model, before, keptUntil }) =>
      `Searches are answered by ${model} now. Until ${keptUntil.slice(0, 10)} \`svc operations undo\` goes back to ${before}.`,
  },
  examples: [{ command: "embeddings switch", note: "After `embeddings adopt` and a run" }],
  failures: ["conflict"],
  async run(context, { incomplete }) {
    requireAdministrator(context);
    const { transaction, now } = context;
    const before = await lockSetting(transaction);
    const { model, nextModel } = before;
    if (model === null || nextModel === null) {
      throw new ProblemError("conflict", "There is no next model.", {
        hint: "Choose one with `svc embeddings adopt`.",
      });
    }
    const missing = incomplete ? 0 : await countMissing(transaction, model, nextModel);
    if (missing > 0) {
      throw new ProblemError("conflict", `${missing} files are not embedded by ${nextModel} yet.`, {
        hint: "`svc embeddings run` goes on with them; --incomplete switches all the same.",
      });
    }
    const previousUntil = new Date((Math.floor(now.getTime() / dayMillis) + keptDays + 1) * dayMillis);
    const after = { ...before, model: nextModel, nextModel: null, previousModel: model, previousUntil };
    await changeSetting(context, before, after);
    return { model: nextModel, before: model, keptUntil: previousUntil.toISOString() };
  },
  undo: {
    payload: SettingUndo.extend({
      /** Redo goes to a model that answered before, whatever it lacked. */
      isRedo: z.boolean().default(false),
    }),
    async run(context, { isRedo, ...setting }) {
      requireAdministrator(context);
      const { model } = await readSetting(context.transaction);
      const redo = { ...(await undoSetting(context, setting)), isRedo: !isRedo };
      const old = setting.before.model;
      const missing =
        isRedo || model === null || old === null ? 0 : await countMissing(context.transaction, model, old);
      if (missing === 0) return redo;
      throw new ProblemError("conflict", `${missing} files are no longer embedded by ${old}.`, {
        hint: `\`svc embeddings adopt ${old}\` embeds them again.`,
      });
    },
  },
});
