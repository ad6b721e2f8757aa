import { encodeId } from "@svc/protocol/typed-id";
import { exactTimeIn } from "@svc/rendering/view";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { formatServiceToken, hashSecret, newSecret } from "../../../platform/identity/service-token.ts";
import { requireOwnLimits } from "../own-limits.ts";
import { requireCredential, TokenTarget } from "../tokens.ts";
import { rotateCredential } from "../tokens-store.ts";

const hour = 60 * 60 * 1_000;

export default defineCommand({
  summary: "Replace the secret of a token",
  description:
    "The old secret stops working within ten seconds, as one that has leaked should. To deploy the new one first, let the old " +
    "one work for some more hours with --grace-hours.",
  category: "Account",
  effect: "write",
  agents: "never",
  reach: "outward",
  scopes: ["tokens:write"],
  arguments: z.strictObject({
    target: TokenTarget,
    // guard: leaked-secrets-end
    graceHours: z.int().min(0).max(168).default(0).describe("Hours that the old secret keeps working"),
  }),
  positionals: ["target"],
  result: z.object({
    id: z.string(),
    name: z.string(),
    token: z.string(),
    previousUntil: z.iso
      .datetime()
      .optional()
      .describe("Until then the old secret works; absent if it does not"),
  }),
  presentation: {
    as: "text",
    text: ({ name, token, previousUntil }, view) =>
      [
        previousUntil === undefined
          ? `Rotated token ${name}; the old secret stops working within ten seconds`
          : `Rotated token ${name}; the old secret works until ${exactTimeIn(view, previousUntil)}`,
        "",
        token,
        "",
        "The new secret is shown only once.",
      ].join("\n"),
  },
  examples: [
    { command: "tokens rotate ci", note: "If the old secret may have leaked" },
    { command: "tokens rotate ci --grace-hours 1", note: "Leaves one hour to deploy the new secret" },
  ],
  keywords: ["new secret", "renew api key", "replace credential"],
  failures: ["not_found", "conflict"],
  async run(context, { target, graceHours }) {
    requireAdministrator(context);
    const credential = await requireCredential(context, target);
    requireOwnLimits(context, credential);
    const { id, name, version } = credential;
    const secret = newSecret();
    const previousExpiresAt = new Date(context.now.getTime() + graceHours * hour);
    await rotateCredential(context.transaction, id, { secretHash: hashSecret(secret), previousExpiresAt });
    const shownId = encodeId("credential", id);
    context.recordChange({
      action: "update",
      type: "token",
      id: shownId,
      name,
      version,
      after: { graceHours },
    });
    return {
      id: shownId,
      name,
      token: formatServiceToken({ credentialId: id, secret }),
      ...(graceHours > 0 && { previousUntil: previousExpiresAt.toISOString() }),
    };
  },
});
