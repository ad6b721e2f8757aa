import { Failure } from "@svc/machine/failure";
import { isLoopback } from "@svc/machine/network/is-loopback";
import { build } from "../build.ts";

/** The service's address. A token never travels in the clear: http is allowed for this machine only. */
export function baseUrlOf(environment: NodeJS.ProcessEnv): URL {
  const text = environment.SVC_BASE_URL || build.baseUrl;
  if (!text) {
    throw new Failure("usage", "No service address: SVC_BASE_URL is not set.", {
      hint: "Set it to the service's address: export SVC_BASE_URL=https://…",
    });
  }
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (why: string) =>
    new Failure("usage", `SVC_BASE_URL ${why}.`, { hint: "It looks like https://svc.example.com" });
  if (!address || !/^https?:$/.test(address.protocol)) throw refuse("is not a valid address");
  if (address.username || address.password) throw refuse("must not contain a user name or password");
  if (address.pathname !== "/" || address.search || address.hash)
    throw refuse("must be an address without a path");
  // Some systems resolve names below localhost like any other name.
  const isHere = isLoopback(address) && !address.hostname.includes(".localhost");
  if (address.protocol === "http:" && !isHere) {
    throw refuse("must begin with https: svc never sends tokens in the clear");
  }
  return address;
}
