import { naming } from "@svc/command-router/arguments/value-kind";
import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { type Account, findAccounts } from "./accounts-store.ts";

export type { Account };

export const AccountTarget = z
  .string()
  .min(1)
  .max(320)
  .meta(naming("person"))
  .describe("E-mail address, name or id of a person, service account or AI member");

export const AccountView = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  email: z.string().optional(),
});

export const AccountState = z.enum(["active", "disabled"]);

export function accountState({ isDisabled }: Pick<Account, "isDisabled">): z.output<typeof AccountState> {
  return isDisabled ? "disabled" : "active";
}

export function accountView({ id, kind, name, email }: Pick<Account, "id" | "kind" | "name" | "email">) {
  return { id: encodeId(kind, id), kind, name, ...(email === null ? {} : { email }) };
}

/** For administrators, who see every account of the tenant. */
export async function requireAccount({ transaction }: CommandContext, target: string): Promise<Account> {
  const id = decodeId(target, "user", "service", "ai");
  const [found, another] = await findAccounts(transaction, id === undefined ? { text: target } : { id });
  if (!found) {
    throw new ProblemError("not_found", `No account matches \`${target}\`.`, {
      hint: "Check the spelling, or use the account id. People get an account when they first sign in.",
    });
  }
  if (another) {
    throw new ProblemError("conflict", `More than one account matches \`${target}\`.`, {
      hint: "Use the e-mail address or the id.",
    });
  }
  return found;
}
