import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * A door in front of PostgreSQL that can refuse everybody, as a server does whose password was changed. Our test server
 * trusts every login.
 */
export class RefusingDoor {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isClosed = false;

  private constructor(server: Server, target: URL) {
    this.#server = server;
    const url = new URL(target);
    url.hostname = "127.0.0.1";
    url.port = String((server.address() as AddressInfo).port);
    this.url = url.href;
    server.on("connection", (client) => this.#serve(client, target));
  }

  static async start(databaseUrl: string): Promise<RefusingDoor> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new RefusingDoor(server, new URL(databaseUrl));
  }

  /** Ends every connection, and refuses new ones with 28P01. */
  refuse(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  admit(): void {
    this.#isClosed = false;
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }

  #serve(client: Socket, target: URL): void {
    if (this.#isClosed) {
      this.#keep(client);
      client.once("data", () => client.end(wrongPassword));
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) this.#keep(socket);
    client.pipe(server).pipe(client);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** ErrorResponse of the protocol: a type, the length with itself, and fields that end with NUL. */
const wrongPassword = errorResponse({
  S: "FATAL",
  V: "FATAL",
  C: "28P01",
  M: "password authentication failed",
});

function errorResponse(fields: Record<string, string>): Buffer {
  const body = Object.entries(fields).map(([type, text]) => `${type}${text}\0`);
  const content = Buffer.from(`${body.join("")}\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
