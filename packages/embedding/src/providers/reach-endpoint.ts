import type { HttpEndpoint } from "./http-endpoint.ts";

/** How proxies say that nobody answers behind them. Any other answer, such as 404, comes from a server that runs. */
const fromProxy = new Set([502, 503, 504]);

export async function reachEndpoint({ url }: HttpEndpoint, signal: AbortSignal): Promise<void> {
  const { status } = await fetch(url, { method: "HEAD", redirect: "manual", signal });
  if (fromProxy.has(status)) throw new Error(`${url.origin} answered ${status}`);
}
