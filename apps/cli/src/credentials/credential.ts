import { createHash } from "node:crypto";

/** What the caller shows the service. */
export interface Credential {
  kind: "environment" | "login";
  /** Whose it is, as far as this machine can tell: what it remembers for one account is not another's. */
  account: string;
  token(): Promise<string>;
  /** A new one where the service took the last for expired; undefined where there is none to be had. */
  renewed(refused: string): Promise<string | undefined>;
}

/** From SVC_SA_TOKEN: it touches neither disk nor keychain, and nobody renews it. */
export function environmentCredential(token: string): Credential {
  return {
    kind: "environment",
    account: `token-${createHash("sha256").update(token).digest("hex").slice(0, 16)}`,
    token: async () => token,
    renewed: async () => undefined,
  };
}
