/** Where requests go, and with what. The key never appears in a message or a property that a log would print. */
export interface HttpEndpoint {
  readonly url: URL;
  readonly timeoutMs: number;
  headers(): Record<string, string>;
  /** Servers quote requests. */
  withoutKey(text: string): string;
}

interface EndpointSettings {
  url: string;
  key?: string | undefined;
  keyHeader: (key: string) => Record<string, string>;
  timeoutMs?: number | undefined;
}

export function httpEndpoint({ url, key, keyHeader, timeoutMs = 60_000 }: EndpointSettings): HttpEndpoint {
  const base = checkUrl(url);
  // fetch would quote the whole header in its message, and characters that JSON escapes would not be found in a
  // server's text.
  if (key !== undefined && !/^[!#-[\]-~]+$/.test(key)) {
    throw new Error(
      "The key of the embedding provider is empty or contains characters that a header cannot have.",
    );
  }
  return {
    url: base,
    timeoutMs,
    headers: () => (key === undefined ? {} : keyHeader(key)),
    withoutKey: (text) => (key === undefined ? text : text.replaceAll(key, "***")),
  };
}

function checkUrl(given: string): URL {
  const url = URL.parse(given);
  if (!url) throw new Error("The URL of the embedding provider is not valid.");
  if (url.username || url.password || url.search || url.hash) {
    throw new Error("The URL of the embedding provider must not have a user, password, query or fragment.");
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) return url;
  throw new Error(
    `${url.protocol}//${url.host} is not safe for documents and keys: use https, or a server on this machine.`,
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
