import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { WordEmbedder } from "../../testing/embedders/word-embedder.ts";

export interface PaidCall {
  texts: readonly string[];
  /** Which of the consecutive processes asked. */
  life: number;
  askedAt: number;
  /** Undefined if the answer was not sent completely. */
  deliveredAt?: number;
}

/** A local provider with the OpenAI protocol that takes its time and records what it would charge for. */
export class PaidEmbeddingServer {
  readonly calls: PaidCall[] = [];
  /** The process that is asking now. */
  life = 0;
  readonly #server: Server;
  readonly #embedder = new WordEmbedder();
  readonly #longestMillis: number;

  private constructor(longestMillis: number) {
    this.#longestMillis = longestMillis;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start({ longestMillis }: { longestMillis: number }): Promise<PaidEmbeddingServer> {
    const server = new PaidEmbeddingServer(longestMillis);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  get textsAsked(): number {
    return this.calls.reduce((sum, { texts }) => sum + texts.length, 0);
  }

  async vectorsOf(texts: readonly string[]): Promise<Float32Array[]> {
    return (await this.#embedder.embed(texts)).vectors;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Asks only whether anybody is here.
    if (request.method === "HEAD") return void response.writeHead(404).end();
    const { life } = this;
    // A finished response has none.
    const { socket } = request;
    const { input } = (await json(request)) as { input: string[] };
    const call: PaidCall = { texts: input, life, askedAt: performance.now() };
    this.calls.push(call);
    await sleep(Math.random() * this.#longestMillis);
    const vectors = await this.vectorsOf(input);
    const tokens = input.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 4), 0);
    response.once("finish", () => {
      // A killed client has ended it, although it can still be written to.
      if (!socket.destroyed && !socket.readableEnded) call.deliveredAt = performance.now();
    });
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        data: vectors.map((vector, index) => ({
          index,
          embedding: Buffer.from(vector.buffer).toString("base64"),
        })),
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      }),
    );
  }
}
