import fc from "fast-check";

/** Words of names, and of folders above them. */
const paths = ["alder cedar", "birch cedar notes", "dogwood cedar", "alder birch cedar", "dogwood notes.txt"];
/** In some, one word finds something, and what the other is corrected to would show. */
const misspelt = [
  ...["marmit", "grannite burrow", "lanterm", "zepelin", "edelwiess quarts", "aldr cedar", "glaciers"],
  ...["lanterm marmot", "zepelin burrow", "harbur granite", "marmot quarts", "kaiakk burrow marmot"],
];
const others = [
  ...["cedar-notes", "cedar notes.txt", "marmot.burrow", "alder/birch", "dogwood marmot", "alderbirch"],
  ...["alder birch cedar notes dogwood zeppelin", "burr", "marmot granite lantern", "lantern harbour"],
  // In German these are forms of words that visible texts have.
  ...["burrowen", "Marmoten", "Häuser"],
];
const operators = [
  ...[" in:/alder", " -in:/birch", " type:txt", " -type:folder", " type:record", " -burrow"],
  // A place that is hidden, and people who may be unknown, are answered like those that do not exist.
  ...[" in:/alder in:/alder/birch", " in:/dogwood in:/birch", " in:/cedar", " -in:/alder/dogwood"],
  ...[" owner:me", " -owner:me", " owner:ann", " owner:root", " owner:owner owner:ben"],
  ...[" title:cedar", " -title:notes", " path:alder", " path:zeppelin", " -path:dogwood", " ext:txt"],
  ...[
    " OR marmot",
    " type:code type:text",
    " after:2020 before:2100",
    " before:7d",
    " foo:bar type:zebra",
    " zepp*",
  ],
];
const rarely = <T>(...values: T[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );

/**
 * Queries whose hits the model does not predict: misspelt, joined, of folders and names together, unfinished. Nobody's
 * hidden things may change their answers.
 */
export const roughQueries = fc.tuple(queryOf(paths), queryOf(misspelt), queryOf(others));
export type RoughQuery = ReturnType<typeof queryOf> extends fc.Arbitrary<infer Query> ? Query : never;

function queryOf(words: readonly string[]) {
  return fc
    .record({
      words: fc.constantFrom(...words),
      operator: fc.option(fc.constantFrom(...operators), { nil: undefined, freq: 2 }),
      searchContent: fc.constantFrom(true, true, false),
      typing: fc.boolean(),
      sort: rarely("updated", "created", "name", "size"),
      facets: fc.boolean(),
      passages: fc.constantFrom(0, 1, 3),
      limit: fc.constantFrom(1, 3, 20),
      entityTypes: rarely(["FILE"], ["RECORD", "FOLDER"]),
      filters: rarely({ mediaType: "text/plain" }, { updatedAfter: "2020-01-01" }),
    })
    .map(({ words, operator = "", ...options }) => ({ query: `${words}${operator}`, ...options }));
}
