import type { Database } from "@svc/database/database";
import type { Log } from "../process/log.ts";
import { accessTokenCheck, agentTokenCheck, type IdentityProvider } from "./access-token-check.ts";
import { type Authenticate, authenticator } from "./authenticate.ts";
import { serviceTokenCheck } from "./service-token-check.ts";

/** Who may call the API, and who may call POST /mcp: tokens of a provider are for one of them, never for both. */
export function authenticators(
  database: Database,
  provider: IdentityProvider | undefined,
  log: Log,
  now?: () => number,
): { authenticate: Authenticate; authenticateAgent: Authenticate } {
  const serviceTokens = serviceTokenCheck(database, log, now);
  const { agentAudience } = provider ?? {};
  return {
    authenticate: authenticator([
      serviceTokens,
      ...(provider ? [accessTokenCheck(database, provider, log, now)] : []),
    ]),
    authenticateAgent: authenticator([
      serviceTokens,
      ...(provider && agentAudience
        ? [agentTokenCheck(database, { ...provider, agentAudience }, log, now)]
        : []),
    ]),
  };
}
