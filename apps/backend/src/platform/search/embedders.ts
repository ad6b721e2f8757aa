import { createEmbedder } from "@svc/embedding/create-embedder";
import type { Embedder } from "@svc/embedding/embedder";
import type { EmbedderConfig } from "../process/config.ts";
import { WatchedEmbedder } from "./watched-embedder.ts";

/** An embedder and its costs. */
export interface PricedEmbedder {
  embedder: Embedder;
  /** In micro-units, rounded up, so never less than the real cost. */
  price(tokens: number): bigint;
}

/** The embedders of the deployment, by model name. */
export class Embedders {
  readonly #byModel: ReadonlyMap<string, PricedEmbedder & { embedder: WatchedEmbedder }>;

  /** Throws if something is wrong: a process that cannot embed should not start as if it could. */
  static async load(configs: readonly EmbedderConfig[]): Promise<Embedders> {
    return new Embedders(
      await Promise.all(
        configs.map(async ({ pricePerMillionTokens, ...settings }) =>
          priced(await createEmbedder(settings), pricePerMillionTokens),
        ),
      ),
    );
  }

  constructor(embedders: readonly PricedEmbedder[]) {
    this.#byModel = new Map(
      embedders.map(({ embedder, price }) => [
        embedder.model,
        { embedder: new WatchedEmbedder(embedder), price },
      ]),
    );
    if (this.#byModel.size < embedders.length) throw new Error("two embedders have the same model");
  }

  get models(): string[] {
    return [...this.#byModel.keys()];
  }

  /** The default of tenants without a model. */
  get usual(): PricedEmbedder | undefined {
    return this.#byModel.values().next().value;
  }

  of(model: string): PricedEmbedder | undefined {
    return this.#byModel.get(model);
  }

  /** Fails if a model cannot be reached or failed just now. */
  async reach(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#byModel.values().map(({ embedder }) => embedder.reach(signal)));
  }

  async close(): Promise<void> {
    for (const { embedder } of this.#byModel.values()) await embedder.close();
  }
}

export function priced(embedder: Embedder, pricePerMillionTokens: string): PricedEmbedder {
  const [whole = "0", fraction = ""] = pricePerMillionTokens.split(".");
  const microsPerMillion = BigInt(whole + fraction.padEnd(6, "0"));
  const million = 1_000_000n;
  return {
    embedder,
    price: (tokens) => (BigInt(Math.ceil(tokens)) * microsPerMillion + million - 1n) / million,
  };
}
