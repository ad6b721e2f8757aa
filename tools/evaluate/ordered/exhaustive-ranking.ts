import { analyseDocument } from "@svc/search/analyser/analyse-document";
import { wholeName } from "@svc/search/analyser/analyse-name";
import { type ParsedQuery, parseQuery, type QueryWord } from "@svc/search/query/parse-query";
import type { PhraseWord, QueryPhrase } from "@svc/search/query/query-phrase";

/** What weighs the words of a query: known to the answer, or counted here. */
export interface RankingStatistics {
  documents: number;
  averageLength: number;
  /** For each word of the query, how many documents have it. */
  frequencies: readonly number[];
  now: Date;
}

export interface RankedKey {
  document: number;
  level: number;
  score: number;
}

export const exhaustiveLevels = { named: 4, inName: 3, inNameAndPath: 2, all: 1, some: 0 };

interface Postings {
  documents: number[];
  occurrences: number[];
}

/**
 * Ranks every visible match in memory, as ADRs 23 and 50 describe it and without any of the engine's shortcuts: no index, no
 * candidates, no bounds, no SQL. Only the analyser and the parser are the product's, because languages are not what is
 * judged here. Keeps what the given queries need.
 */
export class ExhaustiveRanking {
  readonly #queries: ReadonlyMap<string, ParsedQuery>;
  readonly #inText = new Map<string, Postings>();
  readonly #inName = new Map<string, Set<number>>();
  readonly #named = new Map<string, number[]>();
  readonly #withPhrase = new Map<QueryPhrase, Set<number>>();
  readonly #lengths: number[] = [];
  readonly #nameLengths: number[] = [];
  readonly #changed: number[] = [];
  readonly #folders: number[] = [];
  readonly #folderTerms: ReadonlySet<string>[] = [];

  constructor(queries: readonly string[]) {
    this.#queries = new Map(queries.map((query) => [query, parseQuery(query)]));
    for (const { words, phrases, wholeName } of this.#queries.values()) {
      this.#named.set(wholeName, []);
      for (const phrase of phrases) this.#withPhrase.set(phrase, new Set());
      for (const { body, name } of words) {
        for (const term of body) this.#inText.set(term, { documents: [], occurrences: [] });
        for (const term of name.flat()) this.#inName.set(term, new Set());
      }
    }
  }

  get size(): number {
    return this.#lengths.length;
  }

  /** A folder is a document too, and lies in itself. Its number counts from 0. */
  addFolder(document: { name: string; updatedAt: Date }): void {
    const folder = this.#folderTerms.length;
    const { name } = analyseDocument({ name: document.name, text: "" });
    this.#folderTerms.push(new Set(lexemesOf(name.text).map(([term]) => term)));
    this.add({ ...document, text: "", folder });
  }

  add(document: { name: string; text: string; updatedAt: Date; folder: number }): void {
    const number = this.#lengths.length;
    const { name, body } = analyseDocument(document);
    const [inText, inName] = [new Map(lexemesOf(body.text)), new Map(lexemesOf(name.text))];
    for (const [term, positions] of inText) {
      const postings = this.#inText.get(term);
      postings?.documents.push(number);
      postings?.occurrences.push(positions.length);
    }
    for (const term of inName.keys()) this.#inName.get(term)?.add(number);
    for (const [phrase, documents] of this.#withPhrase) {
      if (isInRow(phrase.body, inText) || isInRow(phrase.name, inName)) documents.add(number);
    }
    this.#named.get(wholeName(document.name))?.push(number);
    this.#lengths.push(body.length);
    this.#nameLengths.push(name.length);
    this.#changed.push(document.updatedAt.getTime());
    this.#folders.push(document.folder);
  }

  /** Exact ones, of the documents in visible folders. */
  count(query: string, isVisible: (folder: number) => boolean, now: Date): RankingStatistics {
    const lengths = this.#lengths.filter((_, document) => isVisible(this.#folders[document] ?? -1));
    const length = lengths.reduce((sum, each) => sum + each, 0);
    return {
      documents: lengths.length,
      averageLength: Math.max(1, length / Math.max(1, lengths.length)),
      frequencies: this.#wordsOf(query).map((word) => this.#documentsWith(word, isVisible).length),
      now,
    };
  }

  /** All matches, the best first. */
  rank(query: string, isVisible: (folder: number) => boolean, statistics: RankingStatistics): RankedKey[] {
    const words = this.#wordsOf(query);
    const isAnyNeeded = words.some(({ isNeeded }) => isNeeded);
    const scores = new Float64Array(this.size);
    // One bit for each needed word.
    let all = 0;
    const found = new Uint32Array(this.size);
    const inName = new Uint32Array(this.size);
    for (const [index, word] of words.entries()) {
      const weight = word.count * weightOf(statistics.documents, statistics.frequencies[index] ?? 0);
      const bit = word.isNeeded || !isAnyNeeded ? 1 << index : 0;
      all |= bit;
      for (const { document, occurrences, isInName } of this.#documentsWith(word, isVisible)) {
        const inText = this.#textScore(document, occurrences, statistics.averageLength);
        const score = weight * (inText + (isInName ? this.#nameScore(document) : 0));
        scores[document] = (scores[document] ?? 0) + score;
        found[document] = (found[document] ?? 0) | bit;
        if (isInName) inName[document] = (inName[document] ?? 0) | bit;
      }
    }
    const named = new Set(this.#named.get(this.#parsed(query).wholeName));
    const inPath = this.#folderTerms.map((terms) => bitsOf(words, terms) & all);
    const levelOf = (document: number) => {
      const ofName = inName[document] ?? 0;
      if (named.has(document)) return exhaustiveLevels.named;
      if (ofName === all) return exhaustiveLevels.inName;
      const isByPath = (ofName | (inPath[this.#folders[document] ?? -1] ?? 0)) === all;
      if (ofName > 0 && isByPath && countBits(all) <= mostPathWords) return exhaustiveLevels.inNameAndPath;
      return found[document] === all ? exhaustiveLevels.all : exhaustiveLevels.some;
    };
    const phrases = this.#parsed(query).phrases.map((phrase) => this.#withPhrase.get(phrase));
    const keys: RankedKey[] = [];
    for (const [document, words] of found.entries()) {
      if (words === 0 || !phrases.every((documents) => documents?.has(document))) continue;
      const score = (scores[document] ?? 0) * this.#recency(document, statistics.now);
      keys.push({ document, level: levelOf(document), score });
    }
    return keys.sort((left, right) => right.level - left.level || right.score - left.score);
  }

  #parsed(query: string): ParsedQuery {
    const parsed = this.#queries.get(query);
    if (!parsed) throw new Error(`"${query}" was not prepared`);
    return parsed;
  }

  #wordsOf(query: string) {
    return this.#parsed(query).words.map((word) => ({
      ...word,
      isNeeded: word.body.length > 0 && !word.isPart,
    }));
  }

  /** The visible ones that have any form of a word in text or name; the most frequent form counts. */
  #documentsWith(
    { body, name }: Pick<QueryWord, "body" | "name">,
    isVisible: (folder: number) => boolean,
  ): { document: number; occurrences: number; isInName: boolean }[] {
    const found = new Map<number, { document: number; occurrences: number; isInName: boolean }>();
    const at = (document: number) => {
      const known = found.get(document) ?? { document, occurrences: 0, isInName: false };
      found.set(document, known);
      return known;
    };
    for (const term of body) {
      const { documents, occurrences } = this.#inText.get(term) ?? { documents: [], occurrences: [] };
      for (const [index, document] of documents.entries()) {
        if (!isVisible(this.#folders[document] ?? -1)) continue;
        const known = at(document);
        known.occurrences = Math.max(known.occurrences, occurrences[index] ?? 0);
      }
    }
    for (const [first = "", ...others] of name) {
      for (const document of this.#inName.get(first) ?? []) {
        if (!isVisible(this.#folders[document] ?? -1)) continue;
        if (others.every((term) => this.#inName.get(term)?.has(document))) at(document).isInName = true;
      }
    }
    return [...found.values()];
  }

  /** BM25, k1 = 1.2, b = 0.75. */
  #textScore(document: number, occurrences: number, averageLength: number): number {
    if (occurrences === 0) return 0;
    const length = Math.min(this.#lengths[document] ?? 0, 16_383);
    const read = readOccurrences(occurrences);
    return (2.2 * read) / (read + 0.3 + (0.9 * length) / averageLength);
  }

  #nameScore(document: number): number {
    return 2.2 / (1.3 + 0.15 * (this.#nameLengths[document] ?? 0));
  }

  #recency(document: number, now: Date): number {
    const years = (now.getTime() - (this.#changed[document] ?? 0)) / (31_557_600 * 1_000);
    return 1 + 0.1 * 0.5 ** Math.min(100, Math.max(0, years));
  }
}

/** A sentence does not name folders. */
const mostPathWords = 8;

/** The words that have a form of which all terms are there. */
function bitsOf(words: readonly Pick<QueryWord, "name">[], terms: ReadonlySet<string>): number {
  const bits = words.map(({ name }, index) =>
    name.some((form) => form.every((term) => terms.has(term))) ? 1 << index : 0,
  );
  return bits.reduce((sum, bit) => sum | bit, 0);
}

function countBits(bits: number): number {
  return bits.toString(2).replaceAll("0", "").length;
}

function weightOf(documents: number, frequency: number): number {
  return Math.log(1 + (Math.max(documents, frequency) - frequency + 0.5) / (frequency + 0.5));
}

/** PostgreSQL's rank of a lexeme is a partial sum of 1/n²; its remainder is close to 1 / (occurrences + ½). */
function readOccurrences(occurrences: number): number {
  let missing = Math.PI ** 2 / 6;
  for (let n = 1; n <= occurrences; n += 1) missing -= 1 / n ** 2;
  return 1 / missing - 0.5;
}

function isInRow(words: readonly PhraseWord[], positions: ReadonlyMap<string, readonly number[]>): boolean {
  const [first, ...others] = words.map(({ forms, offset }) => ({
    offset,
    at: forms.flatMap((form) => positions.get(form) ?? []),
  }));
  if (!first) return false;
  return first.at.some((begin) =>
    others.every(({ offset, at }) => at.includes(begin + offset - first.offset)),
  );
}

/** With their positions, from the text of a tsvector; marks of the index have none. */
function* lexemesOf(tsvector: string): Generator<[string, number[]]> {
  for (const [, quoted = "", positions = ""] of tsvector.matchAll(
    /'((?:[^'\\]|''|\\.)*)'(?::([\d,A-D]+))?/gu,
  )) {
    if (positions === "") continue;
    yield [
      quoted.replaceAll("''", "'"),
      positions.split(",").map((position) => Number.parseInt(position, 10)),
    ];
  }
}
