import type { Database, TenantTransaction } from "@svc/database/database";
import { pino } from "pino";
import { takeTurn } from "../../src/features/embeddings/embed-files.ts";
import { Embedders } from "../../src/platform/search/embedders.ts";
import { WordEmbedder } from "../../testing/embedders/word-embedder.ts";
import { type Gate, GatedDatabase } from "./gated-database.ts";

interface Turn {
  gate: Gate;
  /** Answers that it has and has not kept yet. */
  unkept: number;
  /** Its leases have run out, though it lives: somebody else may ask for the same. */
  isLate: boolean;
}

const leaseMillis = 6 * 60_000;
export const models = { first: "words", next: "other words" };

/** Workers that stop before each transaction and each call of the model: who goes on next is up to the schedule. */
export class SteppedWorkers {
  readonly #database: Database;
  readonly #tenantId: string;
  readonly #count: (what: string) => void;
  readonly #turns = new Map<number, Turn>();
  readonly #asked = { first: [] as string[], next: [] as string[] };
  #aheadMillis = 0;
  /** Answers that nobody kept in time, because who had them was killed or held up. */
  #lost = 0;
  /** Vectors that were dropped: who wants them again after that pays again. */
  #dropped = 0;

  constructor(database: Database, tenantId: string, count: (what: string) => void) {
    this.#database = database;
    this.#tenantId = tenantId;
    this.#count = count;
  }

  get now(): Date {
    return new Date(Date.now() + this.#aheadMillis);
  }

  /** How often a text was asked for again, and how often it may have been. */
  get asked(): { again: number; atMost: number } {
    const again = Object.values(this.#asked).reduce(
      (sum, texts) => sum + texts.length - new Set(texts).size,
      0,
    );
    return { again, atMost: this.#lost + this.#dropped };
  }

  /** The worker goes on to its next stop; one that has nothing to do takes a turn. */
  async step(worker: number): Promise<void> {
    const known = this.#turns.get(worker);
    if (known && (await known.gate.next())) return;
    if (known) this.#turns.delete(worker);
    else {
      const database = new GatedDatabase(this.#database, () => {
        turn.unkept = 0;
      });
      const { gate } = database;
      const turn = { gate, unkept: 0, isLate: false };
      const onCall = async (texts: readonly string[]) => {
        await gate.stop();
        turn.unkept += texts.length;
        if (turn.isLate) this.#lost += texts.length;
      };
      void takeTurn(this.#parts(database, onCall), this.#tenantId).finally(() => gate.end());
      this.#turns.set(worker, turn);
      this.#count("turn");
    }
  }

  /** The worker goes on until its turn is over. */
  async finishTurn(worker: number): Promise<void> {
    do await this.step(worker);
    while (this.#turns.has(worker));
    this.#count("finished turn");
  }

  /** As if it were killed: nothing more is heard of it. */
  crash(worker: number): void {
    const turn = this.#turns.get(worker);
    if (!turn) return;
    this.#turns.delete(worker);
    this.#lost += turn.unkept;
    this.#count("crash");
    if (turn.unkept > 0) this.#count("lost answers");
  }

  crashAll(): void {
    for (const worker of this.#turns.keys()) this.crash(worker);
  }

  /** Leases run out: those of the dead, and of who was held up. */
  wait(): void {
    for (const turn of this.#turns.values()) {
      turn.isLate = true;
      this.#lost += turn.unkept;
    }
    this.#aheadMillis += leaseMillis;
    this.#count("wait");
  }

  /** One turn, without stops. */
  takeTurn(): Promise<void> {
    return takeTurn(this.#parts(this.#database), this.#tenantId);
  }

  /** What a worker does beside its turns. */
  async drop(work: (transaction: TenantTransaction) => Promise<number>): Promise<void> {
    const scope = { tenantId: this.#tenantId, actorId: this.#tenantId };
    this.#noteDropped(await this.#database.withTenant(scope, "write", work), "drop");
  }

  #noteDropped(vectors: number, what: string): void {
    this.#dropped += vectors;
    if (vectors > 0) this.#count(what);
  }

  #parts(database: Pick<Database, "withTenant">, onCall?: (texts: readonly string[]) => Promise<void>) {
    const options = onCall ? { onCall } : {};
    const embedders = (["first", "next"] as const).map(
      (which) => new WordEmbedder({ model: models[which], asked: this.#asked[which], ...options }).priced,
    );
    return {
      database,
      embedders: new Embedders(embedders),
      log: pino({}, { write: (line) => this.#noteDropped(JSON.parse(line).vectors ?? 0, "drop of a model") }),
      signal: undefined,
      clock: () => this.now,
    };
  }
}
