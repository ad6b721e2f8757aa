import { naming } from "@svc/command-router/arguments/value-kind";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { type Credential, findCredentials } from "./tokens-store.ts";

export { earlier, ownLimits } from "./own-limits.ts";
export { insertCredential, revokeCredential } from "./tokens-store.ts";

export const TokenTarget = z
  .string()
  .min(1)
  .max(200)
  .meta(naming("token"))
  .describe("Id or name of the token");

export const TokenView = z.object({
  id: z.string(),
  name: z.string(),
  account: z.string(),
  scopes: z.array(z.string()),
  networks: z.array(z.string()),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
  lastUsedAt: z.iso.datetime().optional(),
});

export function tokenView(credential: Omit<Credential, "revokedAt" | "version">) {
  const { expiresAt, lastUsedAt } = credential;
  return {
    id: encodeId("credential", credential.id),
    name: credential.name,
    account: encodeId(credential.accountKind, credential.accountId),
    scopes: credential.scopes,
    networks: credential.allowedNetworks,
    createdAt: credential.createdAt.toISOString(),
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
  };
}

export async function requireCredential(
  { transaction }: CommandContext,
  target: string,
): Promise<Credential> {
  const id = decodeId(target, "credential");
  const [found, another] = await findCredentials(transaction, id === undefined ? { name: target } : { id });
  if (!found) {
    throw new ProblemError("not_found", `There is no token \`${target}\`.`, {
      hint: "Run `svc tokens list` to see active tokens.",
    });
  }
  if (another) {
    throw new ProblemError("conflict", `More than one token is named \`${target}\`.`, {
      hint: "Use the id.",
    });
  }
  return found;
}
