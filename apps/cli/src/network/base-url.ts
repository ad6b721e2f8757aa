import { Failure } from "@svc/machine/failure";
import { isLoopback } from "@svc/machine/network/is-loopback";
import { build } from "../build.ts";

/** Where the service is. A token never travels in the clear: http is for this machine alone. */
export function baseUrlOf(environment: NodeJS.ProcessEnv): URL {
  const text = environment.SVC_BASE_URL || build.baseUrl;
  if (!text) {
    throw new Failure("usage", "svc does not know where the service is: SVC_BASE_URL is not set.", {
      hint: "Set it to the service's address: export SVC_BASE_URL=https://…",
    });
  }
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (why: string) =>
    new Failure("usage", `SVC_BASE_URL ${why}.`, { hint: "It looks like https://svc.example.com" });
  if (!address || !/^https?:$/.test(address.protocol)) throw refuse("is not an address");
  if (address.username || address.password) throw refuse("must not hold a name or password");
  if (address.pathname !== "/" || address.search || address.hash)
    throw refuse("must be an address without a path");
  // A name below localhost is looked up like any other on some systems.
  const isHere = isLoopback(address) && !address.hostname.includes(".localhost");
  if (address.protocol === "http:" && !isHere) {
    throw refuse("must begin with https: a token does not travel in the clear");
  }
  return address;
}
