import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { changeSetting, SettingUndo, undoSetting } from "../change-setting.ts";
import { countMissing } from "../model-store.ts";
import { lockSetting, readSetting } from "../setting-store.ts";

/**
 * How long both models are embedded and switching back is possible; until the end of the day, so that a preview shows
 * the same.
 */
const keptDays = 7;
const dayMillis = 86_400_000;

export default defineCommand({
  summary: "Switch searches to the next model",
  description:
    "Takes effect with the next search. The old model's vectors are kept up to date for a week, so that `undo` can switch back at once " +
    "with nothing missing; the run after that drops them. Refused while the new model lacks files that the old one has.",
  category: "Search",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:write"],
  arguments: z.strictObject({
    incomplete: z.boolean().default(false).describe("Switch even if it has not embedded all files yet"),
  }),
  result: z.object({ model: z.string(), before: z.string(), keptUntil: z.iso.datetime() }),
  presentation: {
    as: "text",
    text: ({ model, before, keptUntil }) =>
      `Searches now use ${model}. Until ${keptUntil.slice(0, 10)}, undoing this switches back to ${before}.`,
  },
  examples: [{ command: "embeddings switch", note: "After `embeddings adopt` and a run" }],
  keywords: ["activate model", "use new model", "swap model"],
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
      throw new ProblemError("conflict", `${nextModel} has not embedded ${missing} files yet.`, {
        hint: "Run `svc embeddings run` to embed them, or add --incomplete to switch anyway.",
      });
    }
    const previousUntil = new Date((Math.floor(now.getTime() / dayMillis) + keptDays + 1) * dayMillis);
    const after = { ...before, model: nextModel, nextModel: null, previousModel: model, previousUntil };
    await changeSetting(context, before, after);
    return { model: nextModel, before: model, keptUntil: previousUntil.toISOString() };
  },
  undo: {
    payload: SettingUndo.extend({
      /** Redo switches to a model that was used before, whatever it lacks. */
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
      throw new ProblemError("conflict", `${old} no longer has vectors for ${missing} files.`, {
        hint: `Run \`svc embeddings adopt ${old}\` to embed them again.`,
      });
    },
  },
});
