import { getProxyForUrl } from "proxy-from-env";
import { isLoopback } from "./is-loopback.ts";

/** The proxy that the environment names for this address, with its password. */
export function proxyUrlOf(address: URL): URL | undefined {
  const found = namedProxy(address);
  return URL.canParse(found) ? new URL(found) : undefined;
}

/** The same without its password, for messages. */
export function proxyOf(address: URL): string | undefined {
  const found = namedProxy(address);
  if (!found) return undefined;
  if (!URL.canParse(found)) return found.replace(/^[^@]*@/, "…@");
  const proxy = new URL(found);
  return `${proxy.protocol}//${proxy.username || proxy.password ? "…@" : ""}${proxy.host}`;
}

/**
 * Never one for this machine, whatever NO_PROXY says: http to it is in the clear, and the proxy would read the token.
 */
function namedProxy(address: URL): string {
  return isLoopback(address) ? "" : getProxyForUrl(address.href);
}
