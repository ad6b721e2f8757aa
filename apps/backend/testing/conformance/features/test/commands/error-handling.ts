import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import { defineCommand } from "../../../../../src/platform/commands/define-command.ts";
export default defineCommand({
  summary: "Refuse the call",
  category: "Conformance",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({}),
  result: z.object({ text: z.string() }),
  presentation: { as: "text", text: ({ text }) => text },
  examples: [{ command: "test error-handling", note: "As the scenario calls it" }],
  failures: ["conflict"],
  async run() {
    throw new ProblemError("conflict", "This tool intentionally returns an error for testing.");
  },
});
