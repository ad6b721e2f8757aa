import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { endSessionsOf } from "../../platform/identity/sessions-store.ts";
import { noteChange, requireOwnChange } from "../../platform/undo/last-change.ts";
import { ownWork } from "../../platform/undo/work-of-others.ts";
import { accountView, requireAccount } from "./accounts.ts";
import { setAccountDisabled } from "./accounts-store.ts";
import { holdAdministrators } from "./hold-administrators.ts";

/** The new state of an account. */
export const AccountChange = z.object({ account: z.string(), isDisabled: z.boolean() });
type AccountChange = z.output<typeof AccountChange>;

/** Disables or enables an account. With an operation, to undo it. */
export async function changeAccount(
  context: CommandContext,
  { account: target, isDisabled }: AccountChange,
  operation?: UndoneOperation,
) {
  const { transaction, actor, now } = context;
  await holdAdministrators(context);
  const account = await requireAccount(context, target);
  const part = { subjectId: account.id, partId: account.id };
  if (operation) await requireOwnChange(transaction, part, ownWork(context, operation));
  if (account.isDisabled === isDisabled) {
    throw new ProblemError("conflict", `${account.name} is ${isDisabled ? "already" : "not"} disabled.`);
  }
  // The caller is an administrator, so this also keeps the last one.
  if (account.id === actor.id) {
    throw new ProblemError("conflict", "You cannot disable your own account.", {
      hint: "Ask another administrator.",
    });
  }
  await setAccountDisabled(transaction, account.id, isDisabled ? now : null);
  // guard: sessions-end-with-accounts
  const ended = isDisabled ? await endSessionsOf(transaction, account.id, now) : 0;
  await noteChange(transaction, part);

  const view = accountView(account);
  context.recordChange({
    action: "update",
    type: "account",
    id: view.id,
    name: account.name,
    version: account.version,
    before: { disabled: account.isDisabled },
    after: { disabled: isDisabled, ...(ended > 0 && { sessionsEnded: ended }) },
  });
  return { view, undo: { account: view.id, isDisabled: !isDisabled } };
}

export async function undoAccountChange(
  context: CommandContext,
  change: AccountChange,
  operation: UndoneOperation,
): Promise<AccountChange> {
  return (await changeAccount(context, change, operation)).undo;
}
