import { findCredential } from "../credentials/find-credential.ts";
import { findProfile } from "../credentials/profile.ts";
import type { Invocation } from "../invocation.ts";
import { Service } from "./service.ts";

/** The service of the present profile, with the credential for it. */
export async function openService(
  invocation: Invocation,
  onWait: (reason: string, millis: number) => void = () => {},
): Promise<Service> {
  const { environment, signal } = invocation;
  const profile = await findProfile(environment);
  const credential = await findCredential(profile, invocation);
  return new Service({ baseUrl: profile.baseUrl, credential, environment, signal, onWait });
}
