import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { FixtureService } from "./fixture-service.ts";

/**
 * The conformance suite cannot sign in, and reads addresses such as `test://static-text`, while ours contain ids. This
 * adds the token and puts our addresses in their place. Everything else passes as it is, also Host and Origin.
 */
export async function startBearerProxy(service: FixtureService): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((incoming, outgoing) => {
    pass(service, incoming, outgoing).catch((error) => outgoing.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function pass(service: FixtureService, incoming: IncomingMessage, outgoing: ServerResponse) {
  const ours = (text: string) =>
    Object.entries(service.resources).reduce((all, [uri, id]) => all.replaceAll(uri, `svc://${id}`), text);
  const { "content-length": _, "transfer-encoding": __, ...headers } = incoming.headers;
  const name = headers["mcp-name"];
  const sent = request(service.url + incoming.url, {
    method: incoming.method,
    headers: {
      ...headers,
      authorization: `Bearer ${service.token}`,
      ...(name === undefined ? {} : { "mcp-name": ours(String(name)) }),
    },
  });
  outgoing.once("close", () => sent.destroy());
  const answered = once(sent, "response");
  sent.end(ours((await buffer(incoming)).toString()));
  const [answer] = (await answered) as [IncomingMessage];
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(outgoing);
}
