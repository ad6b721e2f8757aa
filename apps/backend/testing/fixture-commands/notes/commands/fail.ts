import { z } from "zod";
import { defineCommand } from "../../../../src/platform/commands/define-command.ts";

export default defineCommand({
  summary: "Fail in a way that nobody expected",
  category: "Notes",
  effect: "read",
  scopes: ["notes:read"],
  arguments: z.strictObject({
    how: z.enum(["throw", "reject-text", "wrong-result"]).default("throw").describe("In which way"),
  }),
  positionals: ["how"],
  result: z.object({ fine: z.boolean() }),
  presentation: { as: "text", text: () => "never said" },
  examples: [{ command: "notes fail throw", note: "With an error of its own" }],
  failures: [],
  async run(_context, { how }) {
    if (how === "throw") throw new Error("password of /srv/secret is hunter2");
    if (how === "reject-text") return Promise.reject("hunter2");
    return { fine: "hunter2" } as never;
  },
});
