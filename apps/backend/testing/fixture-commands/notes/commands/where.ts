import { z } from "zod";
import { defineCommand } from "../../../../src/platform/commands/define-command.ts";

export default defineCommand({
  summary: "Say which workspace this call names",
  category: "Notes",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: [],
  arguments: z.strictObject({}),
  result: z.object({ workspace: z.string().optional() }),
  presentation: { as: "text", text: ({ workspace }) => workspace ?? "none" },
  examples: [{ command: "notes where --workspace marketing", note: "That one" }],
  failures: [],
  async run({ workspace }) {
    return workspace === undefined ? {} : { workspace };
  },
});
