import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * A network in front of PostgreSQL that can lose everything without a word: no end and no reset, in either direction,
 * while the kernel's keepalive is answered as before.
 */
export class SilentProxy {
  readonly url: string;
  readonly #server: Server;
  /** The client's end of each connection, and the server's. */
  readonly #pairs = new Map<Socket, Socket>();
  readonly #sockets = new Set<Socket>();
  #isSilentForNew = false;

  private constructor(server: Server, target: URL) {
    this.#server = server;
    const url = new URL(target);
    url.hostname = "127.0.0.1";
    url.port = String((server.address() as AddressInfo).port);
    this.url = url.href;
    server.on("connection", (client) =>
      this.#join(client, connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })),
    );
  }

  static async start(databaseUrl: string): Promise<SilentProxy> {
    const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new SilentProxy(server, new URL(databaseUrl));
  }

  /** Connections that clients have not closed, silent or not. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Cuts every connection there is. New ones work. */
  silence(): void {
    for (const pair of this.#pairs) sever(pair);
  }

  /** From now on new connections are accepted, and nothing comes through them. */
  silenceNew(): void {
    this.#isSilentForNew = true;
  }

  /** New connections work again. */
  speak(): void {
    this.#isSilentForNew = false;
  }

  /** From now on nobody listens: open connections are reset, new ones are refused. */
  async goDown(): Promise<void> {
    await this.stop();
  }

  async comeUp(): Promise<void> {
    this.#server.listen(Number(new URL(this.url).port), "127.0.0.1");
    await once(this.#server, "listening");
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }

  #join(client: Socket, server: Socket): void {
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.once("close", () => this.#sockets.delete(socket));
    }
    this.#pairs.set(client, server);
    client.once("end", () => this.#pairs.delete(client));
    client.once("close", () => this.#pairs.delete(client));
    client.pipe(server);
    server.pipe(client);
    if (this.#isSilentForNew) sever([client, server]);
  }
}

function sever([client, server]: [Socket, Socket]): void {
  client.unpipe(server).resume();
  server.unpipe(client).resume();
}
