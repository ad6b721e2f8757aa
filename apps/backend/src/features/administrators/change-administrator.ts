import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { noteChange, requireOwnChange } from "../../platform/undo/last-change.ts";
import { ownWork } from "../../platform/undo/work-of-others.ts";
import { forgetRights } from "../access/access.ts";
import { type Account, accountView, holdAdministrators, requireAccount } from "../members/members.ts";
import { setAdministrator } from "./administrators-store.ts";

/** The new state of an account. */
export const AdministratorChange = z.object({ account: z.string(), isAdministrator: z.boolean() });
type AdministratorChange = z.output<typeof AdministratorChange>;

/** Grants or removes the right. With an operation, to undo it. */
export async function changeAdministrator(
  context: CommandContext,
  { account: target, isAdministrator }: AdministratorChange,
  operation?: UndoneOperation,
) {
  const { transaction } = context;
  const administrators = await holdAdministrators(context);
  const account = await requireAccount(context, target);
  // Ignores whether the account is disabled, because others may change that at the same time.
  const part = { subjectId: account.id, partId: transaction.tenantId };
  if (operation) await requireOwnChange(transaction, part, ownWork(context, operation));
  if (isAdministrator) requireMayAdministrate(account);
  else requireAnotherThan(account, administrators);
  await setAdministrator(transaction, account.id, isAdministrator);
  await noteChange(transaction, part);
  forgetRights(context);

  const view = accountView(account);
  context.recordChange({
    action: isAdministrator ? "create" : "delete",
    type: "administrator",
    id: view.id,
    name: account.name,
    version: account.version,
  });
  return { view, undo: { account: view.id, isAdministrator: !isAdministrator } };
}

export async function undoAdministratorChange(
  context: CommandContext,
  change: AdministratorChange,
  operation: UndoneOperation,
): Promise<AdministratorChange> {
  return (await changeAdministrator(context, change, operation)).undo;
}

function requireMayAdministrate({ name, kind, isAdministrator }: Account): void {
  if (isAdministrator) throw new ProblemError("conflict", `${name} is already an administrator.`);
  if (kind === "ai") throw new ProblemError("conflict", "An AI member cannot be an administrator.");
}

function requireAnotherThan({ id, name, isAdministrator }: Account, administrators: readonly string[]): void {
  if (!isAdministrator) throw new ProblemError("conflict", `${name} is not an administrator.`);
  if (administrators.some((other) => other !== id)) return;
  throw new ProblemError("conflict", `${name} is the last administrator of the tenant.`, {
    hint: "Make somebody else an administrator first with `svc administrators add`.",
  });
}
