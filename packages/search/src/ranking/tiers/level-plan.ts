import type { RawBuilder } from "kysely";
import type { Lookup } from "../levels.ts";
import type { ChosenTiers } from "./choose-tiers.ts";

/** How much of a level is ranked: nothing at first, then more step by step, in the end everything. */
export class LevelPlan {
  readonly number: number;
  readonly finds: (lookup: Lookup) => RawBuilder<unknown> | undefined;
  /** About how many documents are read to find all of the level. */
  readonly documents: number;
  /** Whether each document has to be read to see whether it has the words in a row. */
  readonly isInRow: boolean;
  readonly #steps: readonly ChosenTiers[];
  #at = -1;
  #since: Date | undefined;

  constructor(
    { number, finds, documents, isInRow }: Pick<LevelPlan, "number" | "finds" | "documents" | "isInRow">,
    steps: readonly ChosenTiers[],
  ) {
    this.number = number;
    this.finds = finds;
    this.documents = documents;
    this.isInRow = isInRow;
    this.#steps = steps;
  }

  /** Undefined before it has begun. */
  get chosen(): ChosenTiers | undefined {
    return this.#steps[this.#at];
  }

  get isWhole(): boolean {
    return this.chosen !== undefined && this.chosen.tiers === undefined;
  }

  /** Older documents of this step that the one before did not have cannot be on the page. */
  get since(): Date | undefined {
    return this.isWhole ? undefined : this.#since;
  }

  begin(documents: number): void {
    this.#at = this.#firstWith(documents);
  }

  /** After a round that took too long. */
  shrink(documents: number): void {
    this.#at = Math.min(this.#at, this.#firstWith(documents));
  }

  /**
   * To the first step that is enough, within the room; false if there is none further. What this step has is ranked by
   * then; of the rest, only what was updated `since`.
   */
  goOn(isEnough: (step: ChosenTiers) => boolean, room: number, since?: Date): boolean {
    const wanted = this.#steps.findIndex((step, index) => index > this.#at && isEnough(step));
    const affordable = this.#steps.findLastIndex(({ size }) => size <= room);
    const next = wanted === -1 ? affordable : Math.min(wanted, affordable);
    if (next <= this.#at) return false;
    this.#at = next;
    this.#since = since;
    return true;
  }

  /** To the step before; false if that has no documents. */
  stepBack(): boolean {
    if (!this.#steps[this.#at - 1]?.size) return false;
    this.#at -= 1;
    this.#since = undefined;
    return true;
  }

  #firstWith(documents: number): number {
    const enough = this.#steps.findIndex(({ size }) => size >= documents);
    return enough === -1 ? this.#steps.length - 1 : enough;
  }
}
