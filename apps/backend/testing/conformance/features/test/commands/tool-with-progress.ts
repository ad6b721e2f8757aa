import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { defineCommand } from "../../../../../src/platform/commands/define-command.ts";
export default defineCommand({
  summary: "Report progress, then answer",
  category: "Conformance",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({}),
  result: z.object({ text: z.string() }),
  presentation: { as: "text", text: ({ text }) => text },
  examples: [{ command: "test tool-with-progress", note: "As the scenario calls it" }],
  failures: [],
  async run({ progress }) {
    for (const done of [0, 50, 100]) {
      progress({ label: "Testing", done, total: 100, unit: "steps" });
      await sleep(50);
    }
    return { text: "Done." };
  },
});
