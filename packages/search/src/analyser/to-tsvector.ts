import type { Term } from "./analyse-text.ts";

export interface TsvectorText {
  /** The text of a tsvector, for a parameter with a cast. */
  text: string;
  /** The number of words with a term: the document length of BM25. A word with two forms counts once. */
  length: number;
  /** Whether terms were left out because PostgreSQL accepts no more. */
  isCut: boolean;
}

/** PostgreSQL's: a tsvector holds 2^20 - 1 bytes of lexemes and positions; with some room for rounding. */
const mostBytes = 2 ** 20 - 1 - 4096;
const lastPosition = 16_383;
const mostPositions = 255;

/**
 * Words after the last position PostgreSQL knows share it, so a long text costs a bounded number of positions and the
 * megabyte is left for its lexemes. The last terms are the ones that do not fit.
 */
export class TsvectorBuilder {
  readonly #positionsOf = new Map<string, number[]>();
  readonly #marks = new Set<string>();
  /** Those that may have to go, the last at the end. */
  #lastTerms: string[] | undefined;
  #bytes = 0;
  #length = 0;
  #isCut = false;
  #lastCounted = 0;

  add({ term, position }: Term): void {
    // Terms of one word are adjacent, and so are those of characters (pair, single) at the same position.
    if (position !== this.#lastCounted) this.#length++;
    this.#lastCounted = position;
    const place = Math.min(position, lastPosition);
    const positions = this.#positionsOf.get(term);
    if (positions) {
      if (positions.length >= mostPositions || positions.at(-1) === place || this.#bytes + 2 > mostBytes)
        return;
      positions.push(place);
      this.#bytes += 2;
      return;
    }
    const size = sizeOf(term);
    if (this.#bytes + size > mostBytes) {
      this.#isCut = true;
      return;
    }
    this.#positionsOf.set(term, [place]);
    this.#bytes += size;
  }

  /** A lexeme without a position. It matters more than the last terms, which make room for it. */
  mark(lexeme: string): void {
    if (this.#marks.has(lexeme)) return;
    this.#marks.add(lexeme);
    this.#bytes += evenBytes(lexeme);
    if (this.#bytes <= mostBytes) return;
    this.#isCut = true;
    this.#lastTerms ??= [...this.#positionsOf.keys()];
    while (this.#bytes > mostBytes) {
      const term = this.#lastTerms.pop();
      if (term === undefined) return;
      this.#bytes -= sizeOf(term) + 2 * ((this.#positionsOf.get(term)?.length ?? 1) - 1);
      this.#positionsOf.delete(term);
    }
  }

  /** How often the text has each term, as PostgreSQL will count it. */
  *occurrences(): Generator<[string, number]> {
    for (const [term, positions] of this.#positionsOf) yield [term, positions.length];
  }

  /** The number of words with a term so far. */
  get length(): number {
    return this.#length;
  }

  /** Nothing after this position is stored, nor counted by the ranking. */
  get isFull(): boolean {
    return this.#isCut && this.#lastCounted >= lastPosition;
  }

  finish(): TsvectorText {
    const lexemes = this.#positionsOf
      .entries()
      .map(([term, positions]) => `${quoteLexeme(term)}:${positions.join(",")}`);
    const marks = this.#marks.values().map(quoteLexeme);
    return { text: [...lexemes, ...marks].join(" "), length: this.#length, isCut: this.#isCut };
  }
}

export function toTsvector(terms: Iterable<Term>): TsvectorText {
  const builder = new TsvectorBuilder();
  for (const term of terms) builder.add(term);
  return builder.finish();
}

/** For a tsvector or a tsquery. A term of the analyser has no NUL and no lone surrogate. */
export function quoteLexeme(term: string): string {
  // Hardly any has one of them, and looking is cheap.
  if (!term.includes("'") && !term.includes("\\")) return `'${term}'`;
  return `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** Its bytes to an even number, the count of its positions, and one position. */
function sizeOf(term: string): number {
  return evenBytes(term) + 4;
}

function evenBytes(term: string): number {
  const bytes = Buffer.byteLength(term);
  return bytes + (bytes % 2);
}
