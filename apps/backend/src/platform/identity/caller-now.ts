import type { Database } from "@svc/database/database";
import { ProblemError } from "@svc/protocol/problem";
import { accountDisabled } from "./account-disabled.ts";
import { agentOf } from "./agent-of.ts";
import type { Caller } from "./caller.ts";
import { loadActor } from "./principal.ts";
import { isPast, loadCredential } from "./service-token-check.ts";

/**
 * A caller from an earlier request, as the rows say today: a token that was revoked or has expired, or an account that
 * was disabled, can do nothing more. An access token has no row; it was valid when the call came.
 */
export async function callerNow(
  database: Database,
  { credential, tenant, actor, ...rest }: Caller,
): Promise<Caller> {
  const found =
    credential.kind === "service_account_token"
      ? await loadCredential(database, credential.id ?? "")
      : await loadActor(database, tenant.id, actor.id);
  if (!found || ("expiresAt" in found && isPast(found.expiresAt)))
    throw new ProblemError("unauthenticated", "The credential is no longer valid.");
  if (found.isDisabled) throw accountDisabled();
  if ("caller" in found) return found.caller;
  const { kind, id } = credential;
  const isAgent = kind === "agent_access_token";
  return { ...rest, credential: { kind, id }, tenant, actor: isAgent ? agentOf(found.actor) : found.actor };
}
