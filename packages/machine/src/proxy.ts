import { getProxyForUrl } from "proxy-from-env";

/** The proxy that the environment names for this address, with its password. */
export function proxyUrlOf(address: URL): URL | undefined {
  const found = getProxyForUrl(address.href);
  return URL.canParse(found) ? new URL(found) : undefined;
}

/** The same as one may show it: without its password. */
export function proxyOf(address: URL): string | undefined {
  const found = getProxyForUrl(address.href);
  if (!found) return undefined;
  if (!URL.canParse(found)) return found.replace(/^[^@]*@/, "…@");
  const proxy = new URL(found);
  return `${proxy.protocol}//${proxy.username || proxy.password ? "…@" : ""}${proxy.host}`;
}
