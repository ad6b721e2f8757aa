import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { revokeCredential } from "../../tokens/tokens.ts";
import { requireSession } from "../sessions.ts";

export default defineCommand({
  summary: "End a session of an AI member everywhere within ten seconds",
  category: "Agents",
  effect: "write",
  agents: "never",
  reach: "outward",
  scopes: ["sessions:write"],
  arguments: z.strictObject({ session: z.string().min(1).max(100).describe("Id of the session, sess_…") }),
  positionals: ["session"],
  result: z.object({ id: z.string(), member: z.string() }),
  presentation: { as: "text", text: ({ id, member }) => `Ended session ${id} of ${member}` },
  examples: [
    { command: "sessions end sess_01h455vb4pex5vsknk084sn02q", note: "Its token and ticket stop working" },
  ],
  keywords: ["stop agent", "kill agent", "revoke agent", "close session"],
  failures: ["not_found"],
  async run(context, { session: target }) {
    const { id, memberName, version } = await requireSession(context, target);
    await revokeCredential(context.transaction, id, context.now);
    const shownId = encodeId("session", id);
    context.recordChange({ action: "delete", type: "session", id: shownId, name: memberName, version });
    return { id: shownId, member: memberName };
  },
});
