import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { countByModel } from "../model-store.ts";
import { readSetting } from "../setting-store.ts";

const Model = z.object({
  model: z.string(),
  /** active: used for searches. next: embedded alongside. previous: kept for switching back. */
  state: z.enum(["active", "next", "previous", "available", "missing"]),
  files: z.int(),
});

export default defineCommand({
  summary: "List models, and how many files each has embedded",
  description:
    "Lists models of the deployment and of the tenant. If the deployment no longer has the tenant's model, it is missing: " +
    "nothing is found by meaning until it is back.",
  category: "Search",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["search:read"],
  arguments: z.strictObject({}),
  result: z.object({ items: z.array(Model) }),
  presentation: {
    as: "table",
    columns: [
      { field: "model", label: "Model", priority: 9 },
      { field: "state", label: "State", priority: 8 },
      { field: "files", label: "Files", priority: 7 },
    ],
    empty: "The deployment has no embedder.",
  },
  examples: [{ command: "embeddings models", note: "Before and after a change of models" }],
  keywords: ["vector models", "which model"],
  failures: [],
  async run(context) {
    requireAdministrator(context);
    const {
      transaction,
      search: { queryVectors },
    } = context;
    const { model, nextModel, previousModel } = await readSetting(transaction);
    const files = await countByModel(transaction);
    const states = new Map([
      ...queryVectors.models.map((name) => [name, "available"] as const),
      ...[previousModel, nextModel, model ?? queryVectors.usualModel ?? null].flatMap((name, index) =>
        name === null ? [] : [[name, (["previous", "next", "active"] as const)[index] ?? "active"] as const],
      ),
    ]);
    return {
      items: [...states].map(([name, state]) => ({
        model: name,
        state: state === "active" && !queryVectors.factsOf(name) ? ("missing" as const) : state,
        files: files.get(name) ?? 0,
      })),
    };
  },
});
