import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** What happens to one connection. */
export type Fault = (client: Socket, toServer: () => Socket) => void;

/** In front of a server: the first connection meets the first fault, and so on; the last fault stays. */
export class FaultProxy {
  connections = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #scheme: string;

  private constructor(server: Server, scheme: string) {
    this.#server = server;
    this.#scheme = scheme;
  }

  static async start(
    target: string,
    faults: readonly Fault[],
    certificate?: { key: string; cert: string },
  ): Promise<FaultProxy> {
    const serve = (client: Socket) => {
      const fault = faults[Math.min(proxy.connections, faults.length - 1)] as Fault;
      proxy.connections += 1;
      proxy.#hold(client);
      const { hostname, port } = new URL(target);
      fault(client, () => proxy.#hold(connect(Number(port), hostname)));
    };
    const server = certificate ? createTlsServer(certificate, serve) : createServer(serve);
    server.on("tlsClientError", () => {});
    const proxy = new FaultProxy(server, certificate ? "https" : "http");
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(host = "127.0.0.1"): string {
    return `${this.#scheme}://${host}:${this.port}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #hold(socket: Socket): Socket {
    this.#open.add(socket);
    // Otherwise forwarded bytes wait up to 40 ms for an earlier acknowledgement, and are lost in a reset.
    socket.setNoDelay(true);
    socket.on("error", () => {});
    return socket.once("close", () => this.#open.delete(socket));
  }
}

export const passOn: Fault = (client, toServer) => join(client, toServer());

export const resetAtOnce: Fault = (client) => reset(client);

/** The request was read, and nobody will ever process it. */
export const resetAfterRequest: Fault = (client) => void wholeRequest(client).then(() => reset(client));

/** The server starts to process it, and its caller is gone. */
export const resetBeforeAnswer: Fault = (client, toServer) => {
  void wholeRequest(client).then((request) => {
    const server = toServer();
    server.write(request, () => {
      reset(client);
      // Enough time to start, but not always enough to answer.
      setTimeout(() => server.destroy(), 5);
    });
  });
};

/** The command ran, and nobody is told. */
export const resetAfterAnswer: Fault = (client, toServer) =>
  withAnswer(client, toServer, () => reset(client));

export const resetInAnswer: Fault = (client, toServer) =>
  withAnswer(client, toServer, (answer) => client.write(half(answer), () => reset(client)));

export const endInAnswer: Fault = (client, toServer) =>
  withAnswer(client, toServer, (answer) => client.end(half(answer)));

export const stallBeforeHead: Fault = (client, toServer) => withAnswer(client, toServer, () => {});

export const stallInBody: Fault = (client, toServer) =>
  withAnswer(client, toServer, (answer) => client.write(half(answer)));

/**
 * Forwards that many bytes, both directions together, and then cuts. Not at once: a server that is still
 * authenticating has read nothing yet, and would get the same 10 kB forever.
 */
export const cutAfter =
  (bytes: number, by: "end" | "reset"): Fault =>
  (client, toServer) => {
    const server = toServer();
    let left = bytes;
    const pass = (from: Socket, to: Socket) =>
      from.on("data", (chunk: Buffer) => {
        const passed = chunk.subarray(0, left);
        left -= passed.length;
        to.write(passed, () => {
          if (left > 0) return;
          setTimeout(() => {
            for (const socket of [client, server]) by === "end" ? socket.destroySoon() : reset(socket);
          }, 20);
        });
      });
    pass(client, server);
    pass(server, client);
    endTogether(client, server);
  };

/** Somebody in between who answers instead of the server. */
export const answer =
  (status: string, headers: Record<string, string>, body: string): Fault =>
  (client) => {
    const all = { "content-length": String(Buffer.byteLength(body)), connection: "close", ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    void wholeRequest(client).then(() => client.end([`HTTP/1.1 ${status}`, ...lines, "", body].join("\r\n")));
  };

function withAnswer(client: Socket, toServer: () => Socket, onAnswer: (answer: Buffer) => void): void {
  void wholeRequest(client).then((request) => {
    const server = toServer();
    const chunks: Buffer[] = [];
    server.write(request.toString("latin1").replace(/\r\n/, "\r\nconnection: close\r\n"), "latin1");
    server.on("data", (chunk: Buffer) => chunks.push(chunk));
    server.once("end", () => onAnswer(Buffer.concat(chunks)));
  });
}

/** Up to the end of the body that it announces. */
function wholeRequest(client: Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      const text = read.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      const length = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0);
      if (end < 0 || read.length < end + 4 + length) return;
      client.off("data", take);
      client.resume();
      resolve(read);
    };
    client.on("data", take);
  });
}

function join(client: Socket, server: Socket): void {
  client.pipe(server);
  server.pipe(client);
  endTogether(client, server);
}

function endTogether(one: Socket, other: Socket): void {
  one.once("close", () => other.destroy());
  other.once("close", () => one.destroy());
}

function half(answer: Buffer): Buffer {
  const body = answer.indexOf("\r\n\r\n") + 4;
  return answer.subarray(0, Math.ceil((body + answer.length) / 2));
}

/** TLS has no reset: the connection below it is cut. */
function reset(socket: Socket): void {
  if ("encrypted" in socket) socket.destroy();
  else socket.resetAndDestroy();
}
