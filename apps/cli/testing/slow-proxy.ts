import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** In front of a server: as slow as one likes, for all connections together, and able to answer in its place. */
export class SlowProxy {
  bytesPerSecond = Number.POSITIVE_INFINITY;
  /** Of requests, passed on so far. */
  bytes = 0;
  /** Whether it dealt with a request that is then not passed on. */
  instead: (asked: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #target: URL;
  readonly #server = createServer((asked, response) => this.#serve(asked, response));
  /** When the line is free for the next bytes. */
  #freeAt = 0;

  private constructor(target: string) {
    this.#target = new URL(target);
  }

  static async start(target: string): Promise<SlowProxy> {
    const proxy = new SlowProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Everything that is on its way. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  #serve(asked: IncomingMessage, response: ServerResponse): void {
    if (this.instead(asked, response)) return;
    const { method, url, headers } = asked;
    const { hostname, port } = this.#target;
    const passed = request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(
        answer,
        (chunks) => this.#slowly(chunks),
        response,
        () => {},
      );
    });
    response.once("close", () => passed.destroy());
    const count = (bytes: number) => {
      this.bytes += bytes;
    };
    pipeline(
      asked,
      (chunks) => this.#slowly(chunks, count),
      passed,
      (error) => {
        if (error) response.destroy();
      },
    );
  }

  async *#slowly(chunks: AsyncIterable<Buffer>, onChunk = (_bytes: number) => {}): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      const now = performance.now();
      this.#freeAt = Math.max(now, this.#freeAt) + (chunk.length / this.bytesPerSecond) * 1_000;
      if (this.#freeAt > now) await sleep(this.#freeAt - now);
      onChunk(chunk.length);
      yield chunk;
    }
  }
}
