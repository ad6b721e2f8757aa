import { Failure } from "@svc/machine/failure";
import type { Login } from "../credentials/login.ts";
import { IdentityProvider, ProviderRefusal } from "./identity-provider.ts";

/** Two requests, and both within the time that a lock may be held. */
const silenceMillis = 8_000;

/** Exchanges the refresh token. A failure on the way leaves the login unchanged. */
export async function refreshLogin(login: Login, refreshToken: string): Promise<Login> {
  // Not interrupted by Ctrl-C: once the provider has rotated the token, its answer is all that remains of the login.
  const { signal } = new AbortController();
  const provider = await IdentityProvider.discover(login.provider, signal, silenceMillis);
  try {
    return await provider.refresh(login, refreshToken);
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || error.code !== "invalid_grant") throw error;
    throw new Failure("expired", "The login has expired or was revoked.", {
      hint: "Log in again: svc login",
      cause: error,
    });
  }
}
