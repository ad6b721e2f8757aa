import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { changeSetting, SettingUndo, undoSetting } from "../change-setting.ts";
import { lockSetting } from "../setting-store.ts";

export default defineCommand({
  summary: "Embed files with another model, alongside the current one",
  description:
    "Queues all files; the next runs embed them with both models, within the budget. Searches use the current " +
    "model until `embeddings switch`. `embeddings models` shows the progress.",
  category: "Search",
  effect: "write",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:write"],
  arguments: z.strictObject({
    model: z.string().min(1).max(200).describe("Name of the model, from `embeddings models`"),
  }),
  positionals: ["model"],
  result: z.object({ model: z.string(), beside: z.string(), files: z.int() }),
  presentation: {
    as: "text",
    text: ({ model, beside, files }) =>
      `Queued ${files} files for ${model}, alongside ${beside}. To start now, run \`svc embeddings run\`.`,
  },
  examples: [
    { command: "embeddings adopt openai/text-embedding-3-small@768", note: "Prepares a change of models" },
  ],
  keywords: ["new model", "change model", "migrate model", "upgrade model"],
  failures: ["not_found", "conflict"],
  async run(context, { model }) {
    requireAdministrator(context);
    const {
      transaction,
      search: { queryVectors },
    } = context;
    if (!queryVectors.factsOf(model)) {
      const names = queryVectors.models.join(", ") || "none";
      throw new ProblemError(
        "not_found",
        `The deployment has no model ${model}. Available models: ${names}.`,
      );
    }
    const before = await lockSetting(transaction);
    const active = before.model ?? queryVectors.usualModel;
    if (active === undefined || model === active || model === before.nextModel) {
      throw new ProblemError("conflict", `${model} is already the current or the next model of the tenant.`);
    }
    const files = await changeSetting(context, before, { ...before, model: active, nextModel: model });
    return { model, beside: active, files };
  },
  undo: {
    payload: SettingUndo,
    async run(context, payload) {
      requireAdministrator(context);
      return undoSetting(context, payload);
    },
  },
});
