import { z } from "zod";
import { defineCommand } from "../../../../../src/platform/commands/define-command.ts";

export default defineCommand({
  summary: "Write to the log, then answer",
  category: "Conformance",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({}),
  result: z.object({ text: z.string() }),
  presentation: { as: "text", text: ({ text }) => text },
  examples: [{ command: "test logging-tool", note: "As the scenario calls it" }],
  failures: [],
  async run({ log }) {
    log.info("a tool writes to the log");
    return { text: "Logged." };
  },
});
