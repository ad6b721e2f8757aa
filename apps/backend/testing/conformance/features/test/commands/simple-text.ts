import { z } from "zod";
import { defineCommand } from "../../../../../src/platform/commands/define-command.ts";

export default defineCommand({
  summary: "Answer with a text",
  category: "Conformance",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({}),
  result: z.object({ text: z.string() }),
  presentation: { as: "text", text: ({ text }) => text },
  examples: [{ command: "test simple-text", note: "As the scenario calls it" }],
  failures: [],
  run: async () => ({ text: "This is a simple text response for testing." }),
});
