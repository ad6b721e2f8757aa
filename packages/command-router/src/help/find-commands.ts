import MiniSearch from "minisearch";
import type { CommandFacts } from "../catalog.ts";

const fields = ["path", "keywords", "summary", "description", "arguments"] as const;
/** What a command is called says more about it than what is said about it. */
const boost = { path: 3, keywords: 3, summary: 2, description: 1, arguments: 0.5 };

const common = new Set(
  "a an and are at be by do for how i in is it me my of on or that the this to want what with".split(" "),
);

/** Our words, and what people say instead. Keywords of a command say what people call that command. */
const ourWords: Record<string, string> = {
  file: "document spreadsheet presentation report paper pdf picture photo image contract invoice letter attachment",
  folder: "directory",
  collection: "table database",
  record: "row entry",
  workspace: "space project",
  member: "colleague coworker employee staff",
  group: "team department",
  trash: "bin",
  operation: "job",
  embedding: "vector vectorising vectorizing",
  delete: "erase wipe discard",
  restore: "recover undelete back",
  version: "older earlier previous revision",
  access: "permission permissions rights",
  rename: "called name",
};
const meanings = Map.groupBy(
  Object.entries(ourWords).flatMap(([ours, words]) =>
    words.split(" ").map((word) => ({ ours: stemOf(ours), word: stemOf(word) })),
  ),
  ({ word }) => word,
);

/** Finds commands by what they do, for callers who do not know their names. */
export class CommandFinder {
  readonly #index = new MiniSearch<Record<(typeof fields)[number], string>>({
    idField: "path",
    fields: [...fields],
    processTerm: termOf,
    searchOptions: {
      boost,
      processTerm: termsOf,
      maxFuzzy: 2,
      prefix: (term) => term.length > 4,
      fuzzy: (term) => (term.length > 5 ? 0.2 : 0),
    },
  });
  readonly #commands: ReadonlyMap<string, CommandFacts>;

  constructor(commands: readonly CommandFacts[]) {
    this.#commands = new Map(commands.map((command) => [command.path, command]));
    this.#index.addAll(
      commands.map(({ path, keywords = [], summary, description = "", specs }) => ({
        path,
        keywords: keywords.join(" "),
        summary,
        description,
        arguments: specs.map((spec) => spec.description).join(" "),
      })),
    );
  }

  /** Best first. */
  find(intent: string): CommandFacts[] {
    const words = [...new Set(intent.toLowerCase().split(/\s+/))].join(" ");
    return this.#index.search(words).flatMap(({ id }) => this.#commands.get(id as string) ?? []);
  }
}

function termOf(word: string): string | null {
  const lower = word.toLowerCase();
  return common.has(lower) ? null : stemOf(lower);
}

/** Of a question: also in our words. */
function termsOf(word: string): string[] | null {
  const term = termOf(word);
  return term === null ? null : [term, ...(meanings.get(term) ?? []).map(({ ours }) => ours)];
}

/** `sharing`, `shared` and `shares` are one word. Wrong stems do no harm: both sides have them. */
function stemOf(word: string): string {
  return word.replace(/(?:'s|ies|ing|ed|es|s|y|e)$/, "");
}
