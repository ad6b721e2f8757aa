import { z } from "zod";
import { defineCommand } from "../../../../src/platform/commands/define-command.ts";

export default defineCommand({
  summary: "Fail unexpectedly",
  category: "Notes",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["notes:read"],
  arguments: z.strictObject({
    how: z.enum(["throw", "reject-text", "wrong-result"]).default("throw").describe("How to fail"),
  }),
  positionals: ["how"],
  result: z.object({ fine: z.boolean() }),
  presentation: { as: "text", text: () => "never said" },
  examples: [{ command: "notes fail throw", note: "With a custom error" }],
  failures: [],
  async run(_context, { how }) {
    if (how === "throw") throw new Error("password of /srv/secret is hunter2");
    if (how === "reject-text") return Promise.reject("hunter2");
    return { fine: "hunter2" } as never;
  },
});
