import type { DeviceCode } from "./device-code.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { verificationAddress } from "./verification-address.ts";

/** Starts a login; the address is checked before anybody sees it. */
export async function requestCode(provider: IdentityProvider): Promise<DeviceCode> {
  const code = await provider.requestCode();
  const { domain } = provider.identity;
  const complete = code.verificationUriComplete;
  return {
    ...code,
    verificationUri: verificationAddress(code.verificationUri, domain),
    verificationUriComplete: complete === undefined ? undefined : verificationAddress(complete, domain),
  };
}
