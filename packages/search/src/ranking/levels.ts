import { type RawBuilder, sql } from "kysely";
import { quoteLexeme } from "../analyser/to-tsvector.ts";
import { wholeNameLexeme } from "../impact/tiers.ts";
import { allOf, anyOf, type PhraseInRow, type PhraseQuery, phraseQueries } from "../query/query-words.ts";
import { has } from "./candidates.ts";
import { isImplied } from "./phrased-words.ts";
import type { SearchQuery } from "./search-query.ts";
import { isAnywhere, isFinished, type RankedWord } from "./word-score.ts";

/** What the documents of a level are looked up by. */
export interface Lookup {
  wholeName: string;
  /** Words that make a hit. */
  needed: readonly RankedWord[];
  /** In quotes: every hit has them. */
  phrases: readonly PhraseInRow[];
  /** Needed words that a document with all phrases may lack. */
  loose: readonly RankedWord[];
  /** Phrases that were typed without a space. */
  glued: readonly PhraseQuery[];
  /** In texts too, not in names alone. */
  content: boolean;
  /** Only documents whose `body_tsv` has one of these tiers; null for all documents of the level. */
  tiers: string | null;
}

/** All documents of each level. */
export function lookupOf({ parsed, content }: SearchQuery, words: readonly RankedWord[]): Lookup {
  return {
    wholeName: parsed.wholeName,
    needed: words.filter(({ isNeeded }) => isNeeded),
    phrases: phraseQueries(parsed.phrases),
    loose: words.filter(({ isNeeded }, index) => {
      const word = parsed.words[index];
      return isNeeded && !(word && parsed.phrases.some((phrase) => isImplied(word, phrase)));
    }),
    glued: phraseQueries(parsed.glued),
    content,
    tiers: null,
  };
}

export interface Level {
  name: string;
  /** Whether a candidate belongs here, if it does not belong above; `needed` are the words that make a hit. */
  includes: (needed: readonly RankedWord[]) => RawBuilder<unknown>;
  /**
   * A condition for the index that finds all its documents, and perhaps others. Undefined if the query can have none
   * here that is not above.
   */
  finds: (lookup: Lookup) => RawBuilder<unknown> | undefined;
  /**
   * What each of its documents has: the name itself, all needed words in its name, in name and path, joined, anywhere,
   * or some of them.
   */
  has: "name" | "all in name" | "all in name and path" | "glued" | "all" | "some";
  /** Whether its hits also come before all hits by meaning. */
  isAboveMeaning: boolean;
}

/** The coarse classes of hits, best first. Every hit of one comes before every hit of the next, whatever its score. */
export const levels = [
  {
    name: "its name",
    includes: () => sql`is_named`,
    finds: ({ wholeName, tiers }) =>
      wholeName === "" ? undefined : within(tiers, named(wholeNameQuery(wholeName))),
    has: "name",
    isAboveMeaning: true,
  },
  {
    name: "all words in its name",
    includes: (needed) => (needed.length > 0 ? all(needed.map(({ inName }) => inName)) : sql`false`),
    finds: ({ needed, tiers }) =>
      needed.length === 0
        ? undefined
        : within(tiers, named(allOf(needed.map(({ wholeInName }) => wholeInName)))),
    has: "all in name",
    isAboveMeaning: true,
  },
  {
    name: "all words in its name and path",
    includes: inNameAndPath,
    finds: ({ needed, tiers }) => {
      const places = placesOf(needed);
      if (places.length === 0) return undefined;
      const someInName = named(anyOf(needed.map(({ wholeInName }) => wholeInName)));
      return within(tiers, sql`(document.place_id = any(${places}::uuid[]) and ${someInName})`);
    },
    has: "all in name and path",
    isAboveMeaning: true,
  },
  {
    name: "all words, joined as typed",
    includes: (needed) => sql`is_glued and ${all(needed.map(isAnywhere))}`,
    finds: ({ glued, content, tiers }) =>
      glued.length === 0 ? undefined : within(tiers, all(glued.map((phrase) => has(phrase, content)))),
    has: "glued",
    isAboveMeaning: true,
  },
  {
    name: "all words",
    includes: (needed) => all(needed.map(isFinished)),
    finds: (lookup) =>
      lookup.content && lookup.needed.length > 0
        ? findAll(lookup, ({ forms, wholeInName }) => ({ body: anyOf(forms), name: wholeInName }))
        : undefined,
    has: "all",
    isAboveMeaning: true,
  },
  {
    name: "all words, some of them in part",
    includes: (needed) => all(needed.map(isAnywhere)),
    finds: (lookup) => {
      if (lookup.needed.every(({ begun, ends }) => begun === null && ends === null)) return undefined;
      return findAll(lookup, ({ body, name }) => ({ body: lookup.content ? body : null, name }));
    },
    has: "all",
    isAboveMeaning: false,
  },
  {
    name: "some words",
    includes: () => sql`true`,
    finds: (lookup) => (lookup.needed.length > 1 && lookup.loose.length > 0 ? findSome(lookup) : undefined),
    has: "some",
    isAboveMeaning: false,
  },
] as const satisfies readonly Level[];

export const levelNames = levels.map(({ name }) => name);

/** SQL orders by the number of a level: the higher, the better; 0 is the last. */
export const highestLevel = levels.length - 1;

export function levelName(number: number): (typeof levelNames)[number] {
  return levels[highestLevel - number]?.name ?? "some words";
}

/** The number of a candidate's level. */
export function levelOf(words: readonly RankedWord[]) {
  const needed = words.filter(({ isNeeded }) => isNeeded);
  const cases = levels.map(
    ({ includes }, index) => sql`when ${includes(needed)} then ${sql.lit(highestLevel - index)}`,
  );
  return sql`case ${sql.join(cases, sql` `)} end`;
}

/** With meaning, of a level `matched` by words: those that meaning can outweigh become one. */
export function levelWithMeaning() {
  const lowestAbove = highestLevel - levels.findLastIndex(({ isAboveMeaning }) => isAboveMeaning);
  return sql`case when matched >= ${sql.lit(lowestAbove)} then matched else 0 end`;
}

/** The places below folders with any of the words. */
export function placesOf(needed: readonly Pick<RankedWord, "pathPlaces">[]): string[] {
  return [...new Set(needed.flatMap(({ pathPlaces }) => pathPlaces))];
}

/** `name_tsv` has this if it is the name itself. */
export function wholeNameQuery(wholeName: string): string {
  return quoteLexeme(wholeNameLexeme(wholeName));
}

/** Some in its own name: otherwise everything in a folder would be found with the folder. */
function inNameAndPath(needed: readonly RankedWord[]) {
  if (needed.every(({ inPath }) => inPath === undefined)) return sql`false`;
  const each = needed.map(({ inName, inPath = sql`false` }) => sql`(${inName} or ${inPath})`);
  const some = sql.join(
    needed.map(({ inName }) => inName),
    sql` or `,
  );
  return sql`(${some}) and ${all(each)}`;
}

function all(conditions: readonly RawBuilder<unknown>[]) {
  return sql.join([sql`true`, ...conditions], sql` and `);
}

/** Documents with any needed word, and with all phrases. */
export function findSome(lookup: Lookup) {
  const { needed, phrases, content, tiers } = lookup;
  if (phrases.length > 0) return findAll({ ...lookup, loose: [] }, () => ({ body: null, name: null }));
  const inName = named(anyOf(needed.map(({ name }) => name)));
  if (!content) return within(tiers, inName);
  if (tiers !== null) return inText(tiers);
  return sql`(${inName} or ${inText(anyOf(needed.map(({ body }) => body)))})`;
}

type Forms = (word: RankedWord) => { body: string | null; name: string | null };

/**
 * Documents with all words and the words of all phrases, each in the name or the text. With tiers: those with all in the
 * text, for which the index reads the short lists and skips through the long ones, and those with some in the name.
 */
function findAll({ phrases, loose, content, tiers }: Lookup, formsOf: Forms) {
  const inQuotes = phrases.map((phrase) => ({ body: content ? phrase.loose : null, name: phrase.name }));
  const forms = [...inQuotes, ...loose.map(formsOf)];
  if (tiers === null && phrases.length === 0) {
    return sql`(${all(forms.map(({ body, name }) => sql`(${named(name)} or ${inText(body)})`))})`;
  }
  const together = allOf([...forms.map(({ body }) => body), ...(tiers === null ? [] : [tiers])]);
  const inName = within(tiers, named(anyOf(forms.map(({ name }) => name))));
  return sql`(${inText(together)} or ${inName})`;
}

function within(tiers: string | null, condition: RawBuilder<unknown>) {
  return tiers === null ? condition : sql`(${condition} and ${inText(tiers)})`;
}

function named(query: string | null) {
  return sql`document.name_tsv @@ ${query}::tsquery`;
}

function inText(query: string | null) {
  return sql`document.body_tsv @@ ${query}::tsquery`;
}
