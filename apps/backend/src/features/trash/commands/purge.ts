import { naming } from "@svc/command-router/arguments/value-kind";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { purgeTrash } from "../../files/files.ts";

export default defineCommand({
  summary: "Permanently delete what is in the trash",
  description:
    "Only for owners. Without targets, deletes everything in the trash of the workspace that you own.",
  category: "Files",
  effect: "destroy",
  agents: "searchable",
  reach: "inside",
  scopes: ["files:write"],
  arguments: z.strictObject({
    target: z
      .array(z.string().min(1).max(100).meta(naming("trashed")))
      .max(1_000)
      .default([])
      .describe("Ids, from `trash list`"),
  }),
  positionals: ["target"],
  result: z.object({ purged: z.int(), files: z.int() }),
  presentation: {
    as: "text",
    text: ({ purged, files }) => `Permanently deleted ${purged} from the trash (${files} files in all)`,
  },
  examples: [
    { command: "trash purge --dry-run", note: "Shows what would be deleted" },
    { command: "trash purge --confirm true", note: "Empties the trash" },
  ],
  keywords: ["empty trash", "delete forever", "permanently", "free space"],
  failures: ["not_found", "usage", "confirmation_required"],
  async run(context, { target }) {
    return purgeTrash(context, target);
  },
});
