import { z } from "zod";
import { defineCommand } from "../../../../../src/platform/commands/define-command.ts";

export default defineCommand({
  summary: "Answer without asking the client",
  category: "Conformance",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({}),
  result: z.object({ text: z.string() }),
  presentation: { as: "text", text: ({ text }) => text },
  examples: [{ command: "test streaming-elicitation", note: "As the scenario calls it" }],
  failures: [],
  // A server that elicits would ask here. Ours never asks a client.
  run: async () => ({ text: "Nothing was asked." }),
});
