import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { runSeed } from "@svc/testing/run-seed";
import { Dice } from "../../testing/dice.ts";
import { WordEmbedder } from "../../testing/embedders/word-embedder.ts";
import { drawnPause } from "../../testing/processes/drawn-pause.ts";

export interface PaidCall {
  texts: readonly string[];
  /** Which of the consecutive processes asked. */
  life: number;
  /** False if the answer was not sent completely. */
  isDelivered: boolean;
}

/** A local provider with the OpenAI protocol that takes its time and records what it would charge for. */
export class PaidEmbeddingServer {
  readonly calls: PaidCall[] = [];
  /** The process that is asking now. */
  life = 0;
  readonly #server: Server;
  readonly #embedder = new WordEmbedder();
  readonly #longestMillis: number;
  readonly #dice = new Dice(runSeed());

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
    const call: PaidCall = { texts: input, life, isDelivered: false };
    this.calls.push(call);
    await drawnPause(this.#dice, this.#longestMillis);
    const vectors = await this.vectorsOf(input);
    const tokens = input.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 4), 0);
    response.once("finish", () => {
      // A killed client has ended it, although it can still be written to.
      if (!socket.destroyed && !socket.readableEnded) call.isDelivered = true;
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
