import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { WordEmbedder } from "../../testing/embedders/word-embedder.ts";

export interface PaidCall {
  texts: readonly string[];
  /** Which of the processes that ask, one after the other. */
  life: number;
  askedAt: number;
  /** Undefined if the answer did not leave as a whole, or not yet. */
  deliveredAt?: number;
}

/** A provider on this machine that speaks as OpenAI does, takes its time, and writes down what it would send a bill for. */
export class PaidEmbeddingServer {
  readonly calls: PaidCall[] = [];
  /** Of the process that asks now. */
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
    const { life } = this;
    // A response that is finished has none any more.
    const { socket } = request;
    const { input } = (await json(request)) as { input: string[] };
    const call: PaidCall = { texts: input, life, askedAt: performance.now() };
    this.calls.push(call);
    await sleep(Math.random() * this.#longestMillis);
    const vectors = await this.vectorsOf(input);
    const tokens = input.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 4), 0);
    response.once("finish", () => {
      // Who was killed meanwhile has ended it, though it can still be written to.
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
