import fc from "fast-check";

/** A parsed query: its words are chosen so that no two share a stem, a beginning or a part. */
export interface SearchQuestion {
  /** Any of them matches, if there is no phrase. */
  words: string[];
  /** The last, unfinished word. */
  beginning?: string | undefined;
  /** All of them are needed. */
  phrases: string[][];
  without: string[][];
  type?: string | undefined;
  notType?: string | undefined;
  /** Paths of folders that may exist; / is the whole workspace. */
  in?: string | undefined;
  notIn?: string | undefined;
  /** A word of the name. */
  title?: string | undefined;
  notTitle?: string | undefined;
  /** A word of the name, or of that of a folder above. */
  path?: string | undefined;
  ext?: string | undefined;
  /** At least one of them is needed. */
  either?: [string, string] | undefined;
  sort: string;
  facets: boolean;
  content: boolean;
  /** In one workspace, or wherever the caller sees something. */
  inWorkspace: boolean;
  entityTypes: string[];
  /** No two words are one edit apart, so that no correction changes what is found. */
  correct: boolean;
  limit: number;
}

/** A document: its words in order, by position. */
export interface Findable {
  entityType: string;
  name: string;
  text: string;
  /** Ids of itself and of every folder above it. */
  places: string[];
}

export const nodeNames = ["alder", "birch", "cedar notes.txt", "dogwood"];
export const contents = [
  "Marmot burrow under granite.",
  "Granite lichen, glacier: marmot.",
  "Edelweiss and quartz, burrow by burrow",
];
const vocabulary = [
  ...["alder", "birch", "cedar", "notes", "dogwood", "marmot", "burrow", "granite", "glacier", "edelweiss"],
  ...["quartz", "lantern", "harbour", "world", "zeppelin"],
];
const beginnings = ["ald", "bir", "ced", "mar", "gran", "edel", "lant", "wor", "zepp", "q"];
const phrases = [
  ["marmot", "burrow"],
  ["granite", "lichen"],
  ["cedar", "notes"],
  ["burrow", "marmot"],
  ["lantern"],
];
const sorts = ["relevance", "relevance", "relevance", "updated", "created", "name", "size"];
const types = ["txt", "text", "file", "folder", "record", "workspace"];
const places = ["/", "/alder", "/birch", "/dogwood", "/alder/birch", "/nowhere"];

const some = <T>(values: readonly T[], most: number) =>
  fc.array(fc.constantFrom(...values), { minLength: 0, maxLength: most });
const rarely = <T>(values: readonly T[], outOf = 6) =>
  fc.oneof(
    { weight: outOf - 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );

export const searchQuestion = fc.record<SearchQuestion>({
  words: some(vocabulary, 3),
  beginning: rarely(beginnings),
  phrases: fc.oneof(
    { weight: 4, arbitrary: fc.constant<never[]>([]) },
    { weight: 1, arbitrary: some(phrases, 2) },
  ),
  without: fc.oneof(
    { weight: 4, arbitrary: fc.constant<never[]>([]) },
    { weight: 1, arbitrary: some([...phrases, ["alder"], ["marmot"]], 2) },
  ),
  type: rarely(types),
  notType: rarely(types),
  in: rarely(places),
  notIn: rarely(places),
  // Several of them together hardly find anything.
  title: rarely(["alder", "cedar", "notes", "lantern", "world", "marmot"], 12),
  notTitle: rarely(["birch", "cedar", "harbour"], 12),
  path: rarely(["alder", "birch", "dogwood", "notes", "zeppelin"], 12),
  ext: rarely(["txt", "md"], 12),
  either: rarely<[string, string]>(
    [
      ["alder", "marmot"],
      ["glacier", "zeppelin"],
      ["lantern", "cedar"],
    ],
    12,
  ),
  sort: fc.constantFrom(...sorts),
  facets: fc.boolean(),
  content: fc.boolean(),
  inWorkspace: fc.boolean(),
  entityTypes: fc.oneof(
    { weight: 5, arbitrary: fc.constant<never[]>([]) },
    { weight: 1, arbitrary: some(["FILE", "FOLDER", "RECORD", "WORKSPACE"], 2) },
  ),
  // Looking for similar words takes as long as all the rest of a search.
  correct: fc.constantFrom(true, false, false, false),
  // Some people see only a few things: small pages, but not too many.
  limit: fc.constantFrom(1, 2, 7, 20, 100, 100),
});

/** Sent as somebody types it. A space at the end says that the last word is finished. */
export function typed(question: SearchQuestion): string {
  const quoted = (words: string[]) => `"${words.join(" ")}"`;
  return [
    ...question.phrases.map(quoted),
    ...(question.either ? [question.either.join(" OR ")] : []),
    ...(question.title ? [`title:${question.title}`] : []),
    ...(question.notTitle ? [`-title:${question.notTitle}`] : []),
    ...(question.path ? [`path:${question.path}`] : []),
    ...(question.ext ? [`ext:${question.ext}`] : []),
    ...question.without.map((words) => `-${words.length === 1 ? words[0] : quoted(words)}`),
    ...(question.type ? [`type:${question.type}`] : []),
    ...(question.notType ? [`-type:${question.notType}`] : []),
    ...(question.in ? [`in:${question.in}`] : []),
    ...(question.notIn ? [`-in:${question.notIn}`] : []),
    ...question.words,
    question.beginning ?? "",
  ].join(" ");
}

/** Checks each word: nothing here knows about stems, lexemes or indexes. */
export function isMatch(question: SearchQuestion, found: Findable): boolean {
  const { words, beginning, phrases, without, type, notType, content, entityTypes, either } = question;
  if (asksForNothing(question)) return false;
  if (!content && found.entityType === "RECORD") return false;
  if (entityTypes.length > 0 && !entityTypes.includes(found.entityType)) return false;
  if (type && !isOfType(type, found)) return false;
  if (notType && isOfType(notType, found)) return false;
  if (!passesNames(question, found)) return false;
  if (question.in && !found.places.includes(question.in)) return false;
  if (question.notIn && found.places.includes(question.notIn)) return false;
  const texts = [wordsOf(found.name), ...(content ? [wordsOf(found.text)] : [])];
  const has = (phrase: string[]) => texts.some((text) => containsInOrder(text, phrase));
  if (without.some(has) || !phrases.every(has)) return false;
  if (either && !either.some((word) => has([word]))) return false;
  if (phrases.length > 0 || either || words.length + (beginning ? 1 : 0) === 0) return true;
  return (
    words.some((word) => has([word])) ||
    (beginning !== undefined && texts.flat().some((word) => word.startsWith(beginning)))
  );
}

/** A query without a word, an operator or a filter finds nothing. */
function asksForNothing({ words, beginning, phrases, without, ...operators }: SearchQuestion): boolean {
  const { type, notType, in: within, notIn, title, notTitle, path, ext, either } = operators;
  const given = [type, notType, within, notIn, title, notTitle, path, ext, either];
  const hasOperator = given.some((operator) => operator !== undefined);
  return words.length + phrases.length + without.length === 0 && !beginning && !hasOperator;
}

function passesNames(
  { title, notTitle, path, ext }: SearchQuestion,
  { entityType, name, places }: Findable,
): boolean {
  const inName = wordsOf(name);
  if (title && !inName.includes(title)) return false;
  if (notTitle && inName.includes(notTitle)) return false;
  if (path && ![...inName, ...places.flatMap(wordsOf)].includes(path)) return false;
  return !ext || (entityType === "FILE" && name.endsWith(`.${ext}`));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

function containsInOrder(text: string[], phrase: string[]): boolean {
  return text.some((_, at) => phrase.every((word, offset) => text[at + offset] === word));
}

function isOfType(type: string, { entityType, name }: Findable): boolean {
  if (type === entityType.toLowerCase()) return true;
  if (entityType !== "FILE") return false;
  return type === "text" || (type === "txt" && name.endsWith(".txt"));
}
