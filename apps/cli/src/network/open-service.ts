import { findCredential } from "../credentials/find-credential.ts";
import type { Invocation } from "../invocation.ts";
import { baseUrlOf } from "./base-url.ts";
import { Service } from "./service.ts";

/** The service named by the environment, with the credential for it. */
export async function openService(
  invocation: Invocation,
  onWait: (reason: string, millis: number) => void = () => {},
): Promise<Service> {
  const { environment, signal } = invocation;
  const baseUrl = baseUrlOf(environment);
  const credential = await findCredential(baseUrl, invocation);
  return new Service({ baseUrl, credential, environment, signal, onWait });
}
