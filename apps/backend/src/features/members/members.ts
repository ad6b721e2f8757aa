import { ProblemError } from "@svc/protocol/problem";
import { decodeId, encodeId, type IdKind } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/command-context.ts";
import { workspaceRoles } from "../workspaces/workspaces.ts";
import { findPrincipals, type Principal } from "./members-store.ts";

export {
  type Account,
  AccountState,
  AccountTarget,
  AccountView,
  accountState,
  accountView,
  requireAccount,
} from "./accounts.ts";
export type { Principal };

export const MemberRole = z.enum(workspaceRoles);
export const Person = z.string().min(1).max(320).describe("E-mail address, name or id");

export const MemberView = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  email: z.string().optional(),
  role: MemberRole,
});

const idKinds = { human: "user", service: "service", ai: "ai" } as const satisfies Record<string, IdKind>;

export function actorId({ id, kind }: { id: string; kind: keyof typeof idKinds }): string {
  return encodeId(idKinds[kind], id);
}

export function principalId({ id, kind }: Pick<Principal, "id" | "kind">): string {
  return encodeId(kind, id);
}

/** Somebody of the tenant, by address, name or id. */
export async function requirePrincipal({ transaction }: CommandContext, person: string): Promise<Principal> {
  const id = decodeId(person, "user", "service", "ai", "group");
  const [found, another] = await findPrincipals(transaction, id === undefined ? { text: person } : { id });
  if (!found) {
    throw new ProblemError("not_found", `Nobody is known as \`${person}\`.`, {
      hint: "Give the e-mail address or the id of somebody who has signed in before, or of a service account.",
    });
  }
  if (another) {
    throw new ProblemError("conflict", `Several are known as \`${person}\`.`, {
      hint: "Give the id instead.",
    });
  }
  return found;
}
