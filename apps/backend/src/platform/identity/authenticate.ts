import { ProblemError } from "@svc/protocol/problem";
import type { Caller } from "./caller.ts";

interface Presented {
  authorization: string | undefined;
  address: string;
  /** Of a session, beside its token. */
  ticket?: string | undefined;
}

/**
 * One kind of credential. Undefined if it is another kind or invalid; callers cannot tell which. Throws if the account
 * is disabled.
 */
export type CredentialCheck = (
  bearer: string,
  address: string,
  ticket?: string | undefined,
) => Promise<Caller | undefined>;

export type Authenticate = (presented: Presented) => Promise<Caller>;

/**
 * One 401 for every reason, so that it does not reveal which credentials exist. A valid credential of a disabled
 * account gets 403.
 */
export function authenticator(checks: readonly CredentialCheck[]): Authenticate {
  return async ({ authorization, address, ticket }) => {
    const bearer = /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(authorization ?? "")?.[1];
    if (bearer !== undefined) {
      for (const check of checks) {
        const caller = await check(bearer, address, ticket);
        if (caller) return caller;
      }
    }
    throw new ProblemError("unauthenticated", "This request needs a valid credential.", {
      hint: "Set SVC_SA_TOKEN to a service-account token that is neither expired nor revoked. A session also needs its ticket.",
    });
  };
}
