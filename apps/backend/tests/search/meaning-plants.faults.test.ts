// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import { type Plant, testPlants } from "../../testing/planted-mistake.ts";

/** The tests notice each guard of semantic search that is removed in a copy. */
const ranking = "packages/search/src/ranking/rank-documents.ts";
const candidates = "packages/search/src/ranking/candidates.ts";
const feature = "apps/backend/src/features/search";
const vectors = `${feature}/finding/budgeted-query-vectors.ts`;
const paid = "apps/backend/src/features/budget/paid-call.ts";

const missedBySearches: Plant[] = [
  {
    mistake: "workspaces that opted out are searched",
    file: "apps/backend/src/features/findable/workspaces-by-meaning.ts",
    code: " and semantic_search_enabled`",
    planted: "`",
  },
  {
    mistake: "what is not close is a hit",
    file: `${feature}/finding/find-by-meaning.ts`,
    code: "similarity >= least)",
    planted: "similarity >= Math.min(least, -1))",
  },
  {
    mistake: "words left out come back through meaning",
    file: candidates,
    code: "...phraseQueries(parsed.excluded).map((phrase) => sql`${has(phrase, true)} is not true`),",
    planted: "",
  },
  {
    mistake: "a phrase holds for words alone",
    file: candidates,
    code: "...phraseQueries(parsed.phrases).map((phrase) => has(phrase, true)),",
    planted: "",
  },
  {
    mistake: "each page has its own bounds",
    file: `${feature}/finding/find-by-meaning.ts`,
    code: "bounds: after?.meaning,",
    planted: "",
  },
  {
    mistake: "a name counts no more than what is close",
    file: ranking,
    code: "case when matched >= 2 then matched else 0 end",
    planted: "0",
  },
  {
    mistake: "names alone are embedded too",
    file: `${feature}/finding/ask-meaning.ts`,
    code: '(mode === "auto" && !searchContent)',
    planted: '(mode === "auto" && searchContent === undefined)',
  },
  {
    mistake: "what was not looked at is believed to be worse",
    file: `${feature}/finding/find-by-meaning.ts`,
    code: "return isCut &&",
    planted: "return !isCut &&",
  },
  {
    mistake: "hidden files are counted",
    file: "packages/search/src/inspecting/coverage.ts",
    code: "visiblePlaces(tenantId, source.visibility, source.filters)",
    planted: 'visiblePlaces(tenantId, { ...source.visibility, scopeIds: "all" }, source.filters)',
  },
];

const missedByVectors: Plant[] = [
  { mistake: "equal queries ask twice", file: vectors, code: "this.#asked.set(key, asked);", planted: "" },
  {
    mistake: "other processes ask again",
    file: vectors,
    code: "keepResults(transaction, { model, purpose, results: [{ key: hash, vector }], now: new Date() }),",
    planted: "Promise.resolve(),",
  },
  { mistake: "nothing is reserved", file: paid, code: "micros === 0n", planted: "micros >= 0n" },
  {
    mistake: "a slow model is asked on",
    file: vectors,
    code: "resting.until > performance.now()",
    planted: "resting.until < 0",
  },
  {
    mistake: "what was refused is paid",
    file: paid,
    code: "if (isUnpaid(error)) await release",
    planted: "if (!isUnpaid(error)) await release",
  },
];

testPlants(missedBySearches, {
  project: "unit",
  test: `${feature}/finding/search-by-meaning.test.ts`,
  says: /AssertionError/,
});
testPlants(missedByVectors, {
  project: "unit",
  test: `${feature}/finding/budgeted-query-vectors.test.ts`,
  says: /AssertionError/,
});
