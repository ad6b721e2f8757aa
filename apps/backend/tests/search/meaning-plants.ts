// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import type { Plant } from "../../testing/plants/plant.ts";

/** The tests notice each guard of semantic search that is removed in a copy. */
export const missedBySearches: Plant[] = [
  {
    mistake: "workspaces that opted out are searched",
    guard: "semantic-opt-out",
    instead: [" and semantic_search_enabled", ""],
  },
  {
    mistake: "what is not close is a hit",
    guard: "close-enough",
    instead: ["similarity >= least", "similarity >= Math.min(least, -1)"],
  },
  {
    mistake: "words left out come back through meaning",
    guard: "excluded-words-by-meaning",
  },
  {
    mistake: "a phrase holds for words alone",
    guard: "phrases-by-meaning",
  },
  {
    mistake: "each page has its own bounds",
    guard: "bounds-of-first-page",
  },
  {
    mistake: "a name counts no more than what is close",
    guard: "names-before-meaning",
    instead: ["levelWithMeaning()", "sql`0`"],
  },
  {
    mistake: "names alone are embedded too",
    guard: "names-need-no-embedding",
    instead: ["!searchContent", "searchContent === undefined"],
  },
  {
    mistake: "codes and unfinished words are embedded",
    guard: "words-alone",
  },
  {
    mistake: "noise suppresses suggestions",
    guard: "noise-keeps-suggestions",
    instead: ["!isFound", "hits.length === 0"],
  },
  {
    mistake: "a file that is not embedded loses half of its score",
    guard: "unjudged-is-neutral",
    instead: ["least(1::float8,", "least(0::float8,"],
  },
  {
    mistake: "what was not looked at is believed to be worse",
    guard: "cut-results-may-matter",
    instead: ["isCut &&", "!isCut &&"],
  },
  {
    mistake: "hidden files are counted",
    guard: "coverage-of-visible",
    instead: ["source.visibility", '{ ...source.visibility, scopeIds: "all" }'],
  },
];

export const missedByVectors: Plant[] = [
  {
    mistake: "equal queries ask twice",
    guard: "equal-queries-ask-once",
  },
  {
    mistake: "other processes ask again",
    guard: "query-vectors-are-shared",
    instead: ["keepResults(", "(() => Promise.resolve())("],
  },
  {
    mistake: "nothing is reserved",
    guard: "spending-is-reserved",
    instead: ["micros === 0n", "micros >= 0n"],
  },
  {
    mistake: "a slow model is asked on",
    guard: "slow-models-rest",
  },
  {
    mistake: "what was refused is paid",
    guard: "refused-calls-are-free",
    instead: ["isUnpaid(error)", "!isUnpaid(error)"],
  },
];

export const missedByNearest: Plant[] = [
  {
    mistake: "files are compared that the caller cannot see",
    guard: "nearest-of-visible",
    instead: [
      "from place join app.file_embedding as embedding on embedding.place_id = place.id",
      "from app.file_embedding as embedding",
    ],
  },
];
