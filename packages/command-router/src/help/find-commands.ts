import MiniSearch from "minisearch";
import type { CommandFacts } from "../catalog.ts";

const fields = ["path", "keywords", "summary", "description", "arguments"] as const;
/** What a command is called says more about it than what is said about it. */
const boost = { path: 3, keywords: 3, summary: 2, description: 1, arguments: 0.5 };

/** Words that every intent has and that tell no command from another. */
const common = new Set(
  "a an and are at be by do for how i in is it me my of on or that the this to want what with".split(" "),
);

/** Finds commands by what they do, for callers who do not know their names. */
export class CommandFinder {
  readonly #index = new MiniSearch<Record<(typeof fields)[number], string>>({
    idField: "path",
    fields: [...fields],
    processTerm: (term) => (common.has(term.toLowerCase()) ? null : stemOf(term.toLowerCase())),
    searchOptions: {
      boost,
      maxFuzzy: 2,
      prefix: (term) => term.length > 3,
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

/** `sharing`, `shared` and `shares` are one word. Wrong stems do no harm: both sides have them. */
function stemOf(word: string): string {
  return word.replace(/(ies|ing|ed|es|s|y|e)$/, "");
}
