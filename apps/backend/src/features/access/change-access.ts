import type { UndoneOperation } from "@svc/command-router/command";
import { ProblemError } from "@svc/protocol/problem";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { noteChange, type Part, requireOwnChange } from "../../platform/undo/last-change.ts";
import { ownWork } from "../../platform/undo/work-of-others.ts";
import {
  countOwners,
  deleteEntry,
  deleteScope,
  findEntry,
  findScope,
  hasEntries,
  insertScope,
  putEntry,
  setInherits,
} from "./access-store.ts";
import { forgetRights, rightsIn } from "./caller-rights.ts";
import { isAtLeast, type Role, roles } from "./role.ts";
import { locateSubject, requireOwnership, type Subject } from "./subject.ts";

export const EntryUndo = z.object({
  subject: z.string(),
  principalId: z.string(),
  name: z.string(),
  /** The state that the operation left; undo is refused if it has changed. */
  left: z.enum(roles).optional(),
  before: z.enum(roles).optional(),
});
type EntryUndo = z.output<typeof EntryUndo>;

/** Writes one row, however much is below; only the first exception creates a separate access list for what is below it. */
export async function setEntry(
  context: CommandContext,
  subject: Subject,
  { id: principalId, name }: { id: string; name: string },
  role: Role | undefined,
): Promise<EntryUndo> {
  requireOwnership(subject);
  const scopeId = subject.hasOwnList ? subject.scopeId : await makeList(context, subject, true);
  const before = await findEntry(context.transaction, scopeId, principalId);
  if (before === role) {
    throw new ProblemError(
      "conflict",
      role ? `${name} already has the role ${role} there.` : `${name} has no entry there.`,
      {
        hint: "Run `svc access check` to see where somebody's access comes from.",
      },
    );
  }
  if (role === undefined) await deleteEntry(context.transaction, scopeId, principalId);
  else await putEntry(context.transaction, scopeId, principalId, role);
  forgetRights(context);
  if (subject.kind === "workspace") await requireAnOwner(context, subject);
  context.bindPreview(principalId);
  context.recordChange({
    action: before === undefined ? "create" : role === undefined ? "delete" : "update",
    type: "access",
    id: subject.shownId,
    name: `${name} at ${subject.name}`,
    ...(before === undefined ? {} : { before: { role: before } }),
    ...(role === undefined ? {} : { after: { role } }),
  });
  return {
    subject: subject.shownId,
    principalId,
    name,
    ...(role === undefined ? {} : { left: role }),
    ...(before === undefined ? {} : { before }),
  };
}

export async function undoEntry(
  context: CommandContext,
  { subject: target, principalId, name, left, before }: EntryUndo,
  operation: UndoneOperation,
): Promise<EntryUndo> {
  const { transaction } = context;
  const subject = await locateSubject(context, target, "reshape");
  requireOwnership(subject);
  // An empty access list may be gone by now: then nobody has an entry in it.
  const present = subject.hasOwnList ? await findEntry(transaction, subject.scopeId, principalId) : undefined;
  if (present !== left) {
    throw new ProblemError(
      "conflict",
      "The access list was changed after this operation, so the operation can no longer be undone.",
    );
  }
  await requireOwnChange(
    transaction,
    { subjectId: subject.id, partId: principalId },
    ownWork(context, operation),
  );
  const redo = await setEntry(context, subject, { id: principalId, name }, before);
  const isList = subject.kind !== "workspace" && subject.hasOwnList && subject.inherits;
  // An empty access list is removed.
  if (isList && !(await hasEntries(transaction, subject.scopeId))) await dropList(context, subject);
  return redo;
}

export const InheritanceUndo = z.object({ subject: z.string(), inherits: z.boolean() });
type InheritanceUndo = z.output<typeof InheritanceUndo>;

/** `restrict` stops inherited access; `inherit` allows it again, and removes an empty list. */
export async function setInheritance(
  context: CommandContext,
  subject: Subject,
  inherits: boolean,
): Promise<InheritanceUndo> {
  requireOwnership(subject);
  if (subject.kind === "workspace") {
    throw new ProblemError("usage", "A workspace does not inherit from anything.");
  }
  if (subject.inherits === inherits) {
    throw new ProblemError(
      "conflict",
      inherits ? `${subject.name} already inherits access.` : `${subject.name} is already restricted.`,
    );
  }
  if (!subject.hasOwnList) await makeList(context, subject, inherits);
  else if (inherits && !(await hasEntries(context.transaction, subject.scopeId))) {
    await dropList(context, subject);
  } else await setInherits(context.transaction, subject.scopeId, inherits);
  await noteChange(context.transaction, inheritanceOf(subject));
  forgetRights(context);
  if (!inherits) await requireStillOwner(context, subject);
  context.recordChange({
    action: "update",
    type: "access",
    id: subject.shownId,
    name: subject.name,
    before: { inherits: subject.inherits },
    after: { inherits },
  });
  return { subject: subject.shownId, inherits: subject.inherits };
}

function inheritanceOf({ id }: Subject): Part {
  return { subjectId: id, partId: id };
}

export async function undoInheritance(
  context: CommandContext,
  { subject: target, inherits }: InheritanceUndo,
  operation: UndoneOperation,
): Promise<InheritanceUndo> {
  const subject = await locateSubject(context, target, "reshape");
  requireOwnership(subject);
  if (subject.inherits === inherits) {
    throw new ProblemError(
      "conflict",
      "The access list was changed after this operation, so the operation can no longer be undone.",
    );
  }
  await requireOwnChange(context.transaction, inheritanceOf(subject), ownWork(context, operation));
  return setInheritance(context, subject, inherits);
}

/** Callers who own a folder through a list above it would lock themselves out, and could not undo it. */
async function requireStillOwner(context: CommandContext, subject: Subject): Promise<void> {
  const own = await findScope(context.transaction, { anchorId: subject.id });
  const rights = await rightsIn(context, subject.workspaceId);
  if (own && isAtLeast(rights.roleIn(own.id), "owner")) return;
  throw new ProblemError("conflict", `You would lock yourself out of ${subject.name}.`, {
    hint: `Make yourself an owner first with \`svc access grant ${subject.typed} <you> --role owner\`.`,
  });
}

/** The node and everything below it without its own access list now follow the new list. */
async function makeList(context: CommandContext, subject: Subject, inherits: boolean): Promise<string> {
  const scopeId = await insertScope(context.transaction, {
    workspaceId: subject.workspaceId,
    parentId: subject.scopeId,
    anchorId: subject.id,
    inherits,
  });
  await context.sharedThings.follow(context, subject, scopeId);
  return scopeId;
}

async function dropList(context: CommandContext, subject: Subject): Promise<void> {
  const scope = await findScope(context.transaction, { id: subject.scopeId });
  if (!scope?.parentId) throw new Error("the access list of a workspace is never dropped");
  await context.sharedThings.follow(context, subject, scope.parentId);
  await deleteScope(context.transaction, subject.scopeId, scope.parentId);
}

async function requireAnOwner({ transaction }: CommandContext, { scopeId, name }: Subject): Promise<void> {
  // guard: last-owner-stays
  if ((await countOwners(transaction, scopeId)) > 0) return;
  throw new ProblemError("conflict", `${name} would be left without an owner.`, {
    hint: "Make somebody else an owner first with `svc members add`.",
  });
}
