import type { Database, TenantTransaction } from "@svc/database/database";
import { pino } from "pino";
import { takeTurn } from "../../src/features/embeddings/embed-files.ts";
import { Embedders } from "../../src/platform/search/embedders.ts";
import { WordEmbedder } from "../../testing/embedders/word-embedder.ts";
import { type Gate, GatedDatabase } from "./gated-database.ts";

interface Turn {
  gate: Gate;
  /** Answers that it has not stored yet. */
  unkept: number;
  /** Its leases have expired although it is alive: another worker may ask for the same. */
  isLate: boolean;
}

const leaseMillis = 6 * 60_000;
export const models = { first: "words", next: "other words" };

/** Workers that stop before each transaction and each model call: the schedule decides who continues. */
export class SteppedWorkers {
  readonly #database: Database;
  readonly #tenantId: string;
  readonly #count: (what: string) => void;
  readonly #turns = new Map<number, Turn>();
  readonly #asked = { first: [] as string[], next: [] as string[] };
  #aheadMillis = 0;
  /** Answers that were not stored in time, because their worker was killed or delayed. */
  #lost = 0;
  /** Vectors that were dropped: needing them again costs again. */
  #dropped = 0;

  constructor(database: Database, tenantId: string, count: (what: string) => void) {
    this.#database = database;
    this.#tenantId = tenantId;
    this.#count = count;
  }

  get now(): Date {
    return new Date(Date.now() + this.#aheadMillis);
  }

  /** How often a text was requested again, and how often that is allowed. */
  get asked(): { again: number; atMost: number } {
    const again = Object.values(this.#asked).reduce(
      (sum, texts) => sum + texts.length - new Set(texts).size,
      0,
    );
    return { again, atMost: this.#lost + this.#dropped };
  }

  /** The worker continues to its next stop; an idle one takes a turn. */
  async step(worker: number): Promise<void> {
    const turn = this.#turns.get(worker);
    if (turn && (await turn.gate.next())) return;
    if (turn) this.#turns.delete(worker);
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

  /** The worker continues until its turn is over. */
  async finishTurn(worker: number): Promise<void> {
    do await this.step(worker);
    while (this.#turns.has(worker));
    this.#count("finished turn");
  }

  /** As if killed: it never continues. */
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

  /** Leases expire: those of dead and of delayed workers. */
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

  /** What a worker does besides its turns. */
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
