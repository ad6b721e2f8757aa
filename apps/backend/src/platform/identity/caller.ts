import type { ActorKind } from "@svc/command-router/command";
import type { Runner } from "@svc/command-router/require-may-run";
import type { Share } from "@svc/fair-shares/fair-shares";

/** Who is calling. Every field comes from the credential and the rows it points at, none from the request. */
export interface Caller {
  actor: {
    id: string;
    kind: ActorKind;
    name: string;
    email?: string | undefined;
    isAdministrator: boolean;
    /** In a session: neither may do more than both, and only in this workspace if there is one. */
    onBehalfOf?:
      | { id: string; name: string; isAdministrator: boolean; workspaceId?: string | undefined }
      | undefined;
  };
  tenant: { id: string; name: string };
  credential: {
    /** A visitor of the demo is known to the routes of the demo only. */
    kind: "service_account_token" | "access_token" | "agent_access_token" | "demo_visitor";
    id?: string | undefined;
    /** Of an agent's token: what the provider calls the program. */
    client?: string | undefined;
    expiresAt?: Date | undefined;
    /** Networks that it can be used from; everywhere if empty or absent. */
    allowedNetworks?: readonly string[] | undefined;
  };
  scopes: readonly string[];
  /** Of a session: the only commands, or groups of commands, that it may run. */
  commands?: readonly string[] | undefined;
  defaultWorkspaceId?: string | undefined;
}

/** What decides which commands a caller may run. */
export function runnerOf(
  { actor, scopes, commands }: Pick<Caller, "actor" | "scopes" | "commands">,
  inSession: boolean,
): Runner {
  return { actorKind: actor.kind, inSession, scopes, commands };
}

/** Names the credential behind a call. Access tokens are renewed all the time, so they count as their person. */
export function credentialKey({ credential, actor }: Pick<Caller, "credential" | "actor">): string {
  return credential.id ?? actor.id;
}

/** The same; a session that uses the credential counts apart. */
export function madeWith(caller: Pick<Caller, "credential" | "actor">, inSession: boolean): string {
  return inSession ? `${credentialKey(caller)} session` : credentialKey(caller);
}

/** Whose allowance a call uses: somebody may have any number of agents. */
export function allowanceKey(caller: Pick<Caller, "credential" | "actor">): string {
  return caller.credential.kind === "agent_access_token" ? caller.actor.id : credentialKey(caller);
}

/** Whose share of scarce resources a call uses. */
export function shareOf(caller: Caller): Share {
  return { tenant: caller.tenant.id, member: credentialKey(caller) };
}
