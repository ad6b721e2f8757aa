import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface RecordedRequest {
  headers: Record<string, string>;
  body: string;
}

/** A real request of a client, so that another client can send the same. */
export async function recordRequest(send: (url: string) => Promise<void>): Promise<RecordedRequest> {
  const { promise, resolve } = Promise.withResolvers<RecordedRequest>();
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    resolve({ headers, body: (await buffer(request)).toString() });
    response.end(JSON.stringify({ kind: "result", exitCode: 0, text: "", committed: false, notices: [] }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return await promise;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
