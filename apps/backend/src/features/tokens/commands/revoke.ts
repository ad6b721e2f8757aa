import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { requireCredential, TokenTarget } from "../tokens.ts";
import { revokeCredential } from "../tokens-store.ts";

export default defineCommand({
  summary: "Revoke a token everywhere within ten seconds",
  category: "Account",
  effect: "write",
  agents: "never",
  reach: "outward",
  scopes: ["tokens:write"],
  arguments: z.strictObject({ target: TokenTarget }),
  positionals: ["target"],
  result: z.object({ id: z.string(), name: z.string() }),
  presentation: { as: "text", text: ({ name }) => `Revoked token ${name}` },
  examples: [{ command: "tokens revoke ci", note: "After a leak, or when it is no longer needed" }],
  keywords: ["delete api key", "invalidate", "leaked", "disable token"],
  failures: ["not_found", "conflict"],
  async run(context, { target }) {
    requireAdministrator(context);
    const { id, name, version } = await requireCredential(context, target);
    await revokeCredential(context.transaction, id, context.now);
    const shownId = encodeId("credential", id);
    context.recordChange({ action: "delete", type: "token", id: shownId, name, version });
    return { id: shownId, name };
  },
});
