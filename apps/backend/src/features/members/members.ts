import { encodeId, type IdKind } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { Caller } from "../../platform/identity/caller.ts";
import { workspaceRoles } from "../workspaces/workspaces.ts";

export {
  type Account,
  AccountState,
  AccountTarget,
  AccountView,
  accountState,
  accountView,
  requireAccount,
} from "./accounts.ts";
export { accountsOf } from "./accounts-store.ts";
export { completeAccounts } from "./complete-accounts.ts";
export { holdAdministrators } from "./hold-administrators.ts";

export const MemberRole = z.enum(workspaceRoles);

export const MemberView = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  email: z.string().optional(),
  role: MemberRole,
});

const idKinds = { human: "user", service: "service", ai: "ai" } as const satisfies Record<string, IdKind>;

export function actorId({ id, kind, onBehalfOf }: Caller["actor"]): string {
  // The agent of a person has their account.
  return encodeId(idKinds[onBehalfOf?.id === id ? "human" : kind], id);
}
