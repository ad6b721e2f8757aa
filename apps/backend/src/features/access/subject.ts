import { remotePath } from "@svc/command-router/arguments/address";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { SharedThing } from "../../platform/commands/shared-things.ts";
import { findScope } from "./access-store.ts";
import { rightsIn } from "./caller-rights.ts";
import type { Rights } from "./rights.ts";
import { isAtLeast } from "./role.ts";

export const SubjectTarget = remotePath().describe(
  "Path or id of a file or folder, collection:<name> or its id; / or ws_… for the workspace",
);

/** What an access list is about, and what the caller may do there. */
export interface Subject extends SharedThing {
  shownId: string;
  hasOwnList: boolean;
  inherits: boolean;
  rights: Rights;
}

/** What the caller named; its feature knows where it is. */
export async function locateSubject(
  context: CommandContext,
  target: string,
  lock?: "reshape",
): Promise<Subject> {
  const thing = await context.sharedThings.locate(context, target, lock);
  const scope = await findScope(context.transaction, { id: thing.scopeId });
  if (!scope) throw new Error(`${thing.kind} ${thing.id} follows a list that does not exist`);
  const hasOwnList = scope.anchorId === thing.id;
  return {
    ...thing,
    shownId: encodeId(thing.kind, thing.id),
    hasOwnList,
    inherits: hasOwnList ? scope.inherits : true,
    rights: await rightsIn(context, thing.workspaceId),
  };
}

/** The access list of a folder that only leads somewhere is hidden from the caller. */
export function requireReader({ rights, scopeId, name }: Subject): void {
  if (rights.roleIn(scopeId) !== undefined) return;
  throw new ProblemError("not_permitted", `You can open ${name} only to reach items shared with you.`);
}

export function requireOwnership({ rights, scopeId, name }: Subject): void {
  // guard: access-needs-owner
  if (isAtLeast(rights.roleIn(scopeId), "owner")) return;
  throw new ProblemError("not_permitted", `Only an owner of ${name} can change its access.`, {
    hint: "Run `svc access show` to see who the owners are.",
  });
}
