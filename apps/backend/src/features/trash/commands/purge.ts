import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { purgeTrash } from "../../files/files.ts";

export default defineCommand({
  summary: "Delete for good what is in the trash",
  description: "For owners. Without targets: everything in the trash of the workspace that you own.",
  category: "Files",
  effect: "destroy",
  scopes: ["files:write"],
  arguments: z.strictObject({
    target: z
      .array(z.string().min(1).max(100))
      .max(1_000)
      .default([])
      .describe("Ids, as `trash list` shows them"),
  }),
  positionals: ["target"],
  result: z.object({ purged: z.int(), files: z.int() }),
  presentation: {
    as: "text",
    text: ({ purged, files }) => `Deleted ${purged} from the trash for good, ${files} files in all`,
  },
  examples: [
    { command: "trash purge --dry-run", note: "Shows what would be lost" },
    { command: "trash purge --confirm true", note: "Empties the trash" },
  ],
  failures: ["not_found", "usage", "confirmation_required"],
  async run(context, { target }) {
    return purgeTrash(context, target);
  },
});
