/** Why a search did without meaning: the reason is part of its answer, the remedy is for `search why-missing`. */
export interface MeaningObstacle {
  reason: string;
  remedy: string;
}

const later = "Try again later.";
const operator = "The operator can configure one in `SVC_EMBEDDERS`.";

export const meaningObstacles = {
  onlyFiles: {
    reason: "only files are found by meaning",
    remedy: "Search for a word in its name, with any mode except semantic.",
  },
  onlyNames: {
    reason: "only names were searched",
    remedy: "Search contents too: `searchContent` in a request, no `--no-search-content` on a line.",
  },
  quoted: {
    reason: "a phrase in quotes is searched by words",
    remedy: "Remove the quotes, or use `--mode hybrid`.",
  },
  unfinished: {
    reason: "the query is still being typed",
    remedy: "Search again without `typing` when it is finished.",
  },
  literal: {
    reason: "codes, numbers, dates and addresses are searched by words",
    remedy: "Add words about its topic, or use `--mode hybrid`.",
  },
  unknownWord: {
    reason: "no document has this word",
    remedy: "Check its spelling, describe the topic in more words, or use `--mode hybrid`.",
  },
  sorted: {
    reason: "sorted hits are found by words",
    remedy: "Sort by relevance.",
  },
  noWord: { reason: "there is no word in the query", remedy: "Add a word about its topic." },
  nobodyOptedIn: {
    reason: "nobody opted in",
    remedy: "Ask an owner to run `svc workspaces update WORKSPACE --semantic-search on`.",
  },
  noEmbedder: { reason: "no embedder", remedy: operator },
  noSuchEmbedder: (model: string) => ({ reason: `no embedder for ${model}`, remedy: operator }),
  unknownLanguage: (languages: readonly string[]) => ({
    reason: "the embedder does not know this language",
    remedy: `Use a language that it knows (${languages.join(", ")}), or add \`--mode semantic\`.`,
  }),
  budgetUsedUp: (renewsAt: Date) => ({
    reason: `the budget is used up until ${renewsAt.toISOString().slice(0, 10)}`,
    remedy: "Ask an administrator to raise it with `svc budget set`.",
  }),
  failed: { reason: "the embedder failed", remedy: later },
  busy: { reason: "the embedder is busy", remedy: later },
  misconfigured: { reason: "the embedder is misconfigured", remedy: later },
  noAnswer: { reason: "the embedder did not answer", remedy: later },
  noAnswerInTime: { reason: "the embedder did not answer in time", remedy: later },
  queryRefused: { reason: "the embedder refused the query", remedy: later },
  tookTooLong: { reason: "searching by meaning took too long", remedy: later },
  beganWithout: { reason: "this search began without meaning", remedy: "Start the search again." },
} satisfies Record<string, MeaningObstacle | ((...args: never[]) => MeaningObstacle)>;
