import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** The proxy of a company: CONNECT for https, absolute addresses for http, with a password if one is given. */
export class ForwardProxy {
  /** What it was asked for. */
  readonly asked: string[] = [];
  readonly #credentials: string | undefined;
  readonly #open = new Set<Socket>();
  readonly #server = createServer((incoming, outgoing) => this.#forward(incoming, outgoing));

  private constructor(credentials: string | undefined) {
    this.#credentials = credentials;
    this.#server.on("connect", (incoming, socket) => this.#tunnel(incoming, socket));
    this.#server.on("connection", (socket) => this.#hold(socket));
  }

  static async start(credentials?: string): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(credentials);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  url(credentials?: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${credentials === undefined ? "" : `${credentials}@`}127.0.0.1:${port}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #isWelcome({ headers }: IncomingMessage): boolean {
    if (this.#credentials === undefined) return true;
    const given = headers["proxy-authorization"]?.replace(/^Basic /, "") ?? "";
    return Buffer.from(given, "base64").toString() === this.#credentials;
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { url = "", method = "", headers } = incoming;
    this.asked.push(`${method} ${url}`);
    if (!this.#isWelcome(incoming)) {
      outgoing.writeHead(407, { "proxy-authenticate": 'Basic realm="proxy"' }).end("<html>407</html>");
      return;
    }
    const onward = request(url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  }

  #tunnel(incoming: IncomingMessage, socket: Duplex): void {
    this.asked.push(`CONNECT ${incoming.url}`);
    if (!this.#isWelcome(incoming)) {
      const lines = ["HTTP/1.1 407 Proxy Authentication Required", 'proxy-authenticate: Basic realm="proxy"'];
      socket.end([...lines, "content-length: 0", "", ""].join("\r\n"));
      return;
    }
    // Only the proxy resolves names: to this machine.
    const server = this.#hold(connect(Number(incoming.url?.split(":").at(-1)), "127.0.0.1"));
    server.once("connect", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(server).pipe(socket);
    });
    socket.once("close", () => server.destroy());
  }

  #hold(socket: Socket): Socket {
    this.#open.add(socket);
    socket.on("error", () => {});
    return socket.once("close", () => this.#open.delete(socket));
  }
}
