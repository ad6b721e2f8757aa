import { isIP } from "node:net";
import { ProblemError } from "@svc/protocol/problem";
import { exactTimeIn } from "@svc/rendering/view";
import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { AccountName } from "../../../platform/identity/account-name.ts";
import { formatServiceToken, hashSecret, newSecret } from "../../../platform/identity/service-token.ts";
import { limitsOfNewToken } from "../own-limits.ts";
import { requireScopes } from "../require-scopes.ts";
import { TokenView, tokenView } from "../tokens.ts";
import { insertAccount, insertCredential } from "../tokens-store.ts";

const defaultDays = 90;

export default defineCommand({
  summary: "Create a service account with its token",
  description:
    "The token is shown once. It never gets more scopes, networks or time than your own token. Add the account to workspaces with `members add`.",
  category: "Account",
  effect: "write",
  agents: "never",
  reach: "outward",
  scopes: ["tokens:write"],
  arguments: z.strictObject({
    name: AccountName.describe("Name of the account and its token"),
    kind: z
      .enum(["service", "ai"])
      .default("service")
      .describe("ai: previews by default and commits with a preview token"),
    scope: z
      .array(z.string().regex(/^(\*|[a-z]+:[a-z]+)$/, "must have the form workspaces:read"))
      .max(100)
      .default(["*"])
      .describe("Scopes of the token; never more than your own credential has"),
    network: z
      .array(z.string().max(50).refine(isNetwork, "is not a network"))
      .max(100)
      .default([])
      .describe("Networks it can be used from, such as 10.0.0.0/8; by default those of your own token"),
    expiresInDays: z
      .int()
      .min(1)
      .max(3_650)
      .optional()
      .describe(`Days until it expires, by default ${defaultDays}; never later than your own token`),
    administrator: z
      .boolean()
      .default(false)
      .describe("Make the account an administrator of the tenant; not for AI members"),
  }),
  positionals: ["name"],
  result: TokenView.extend({ token: z.string() }),
  presentation: {
    as: "text",
    text: ({ name, id, account, token, expiresAt }, view) =>
      [
        `Created token ${name} (${id}) for ${account}${expiresAt === undefined ? "" : `, valid until ${exactTimeIn(view, expiresAt)}`}`,
        "",
        token,
        "",
        "The token is shown only once. Store it where only its user can read it.",
      ].join("\n"),
  },
  examples: [
    { command: "tokens create ci --scope workspaces:read --scope members:read", note: "For a build server" },
    { command: "tokens create assistant --kind ai", note: "For an AI member" },
  ],
  keywords: ["api key", "credential", "service account", "bot", "password"],
  failures: ["conflict", "usage"],
  async run(context, { name, kind, scope: scopes, network: networks, expiresInDays, administrator }) {
    requireAdministrator(context);
    if (administrator && kind === "ai") {
      throw new ProblemError("invalid_arguments", "An AI member cannot be an administrator.", {
        hint: "Leave out --administrator, or create a service account with --kind service.",
      });
    }
    // guard: only-scopes-that-exist
    requireScopes(context, scopes);
    const limits = limitsOfNewToken(context, { scopes, networks, expiresInDays }, defaultDays);
    const accountId = await insertAccount(context.transaction, {
      kind,
      name,
      isAdministrator: administrator,
    });
    const secret = newSecret();
    const credential = { accountId, name, ...limits };
    const stored = await insertCredential(context.transaction, {
      ...credential,
      secretHash: hashSecret(secret),
    });
    context.recordChange({ action: "create", type: "token", name, after: { kind, scopes, administrator } });
    const view = tokenView({ ...credential, ...stored, accountKind: kind, lastUsedAt: null });
    return { ...view, token: formatServiceToken({ credentialId: stored.id, secret }) };
  },
});

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes("%")) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
