import { findCredential } from "../credentials/find-credential.ts";
import type { Invocation } from "../invocation.ts";
import { baseUrlOf } from "./base-url.ts";
import { Service } from "./service.ts";

/** The service that the environment names, with whatever credential there is for it. */
export async function openService(
  invocation: Invocation,
  say: (text: string) => void = () => {},
): Promise<Service> {
  const { environment, signal } = invocation;
  const baseUrl = baseUrlOf(environment);
  const credential = await findCredential(baseUrl, invocation);
  return new Service({ baseUrl, credential, environment, signal, say });
}
