import { sha256 } from "@svc/machine/sha256";

/** What identifies the caller to the service. */
export interface Credential {
  kind: "environment" | "login";
  /** Whose it is, as far as this machine can tell: each account has its own stored state. */
  account: string;
  /** The name that a person gave to a login. */
  profile?: string | undefined;
  token(): Promise<string>;
  /** A new one after the service called the last one expired; undefined if there is none. */
  renewed(refused: string): Promise<string | undefined>;
}

/** From SVC_SA_TOKEN: it touches neither disk nor keychain, and is never renewed. */
export function environmentCredential(token: string): Credential {
  return {
    kind: "environment",
    account: `token-${sha256(token).slice(0, 16)}`,
    token: async () => token,
    renewed: async () => undefined,
  };
}
