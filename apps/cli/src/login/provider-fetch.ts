import { request } from "@svc/machine/network/http";
import { userAgent } from "@svc/machine/network/user-agent";
import { build } from "../build.ts";

interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: URLSearchParams | undefined;
}

/** Sends the OAuth library's requests through our one way out. */
export function providerFetch(signal: AbortSignal, silenceMillis: number) {
  return async (address: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    const answer = await request(new URL(address), {
      method: method === "POST" ? "POST" : "GET",
      headers: {
        ...headers,
        "user-agent": userAgent("svc", build.version),
        // Many servers close idle connections between two polls: the next request could hit a closing connection.
        connection: "close",
      },
      body: body?.toString(),
      signal,
      silenceMillis,
    });
    const text = await answer.text();
    return new Response(text === "" ? null : text, { status: answer.status, headers: answer.headers });
  };
}
