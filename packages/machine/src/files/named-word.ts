import { shellWord } from "@svc/protocol/shell-word";

/** A word of the line that names a file, as a whole or after the `=` of a flag. */
export class NamedWord {
  readonly name: string;
  readonly #argv: readonly string[];
  readonly #at: number;

  private constructor(name: string, argv: readonly string[], at: number) {
    this.name = name;
    this.#argv = argv;
    this.#at = at;
  }

  static find(argv: readonly string[], name: string): NamedWord | undefined {
    const at = argv.findIndex((word) => word === name || word === `${flagOf(word)}${name}`);
    return at < 0 ? undefined : new NamedWord(name, argv, at);
  }

  /** What people take for the command: the words at the beginning that are not flags. */
  get command(): string {
    const words = this.#argv.slice(0, Math.min(this.#at, 2));
    const end = words.findIndex((word) => word.startsWith("-"));
    return (end < 0 ? words : words.slice(0, end)).join(" ") || "svc";
  }

  /**
   * The line without what differs each time, and the word in brackets: ["files", "put", "…", ["…"]] is the second and
   * last word after `files put`. What follows counts, because the second of three words may be a file where the second
   * of two is the target. Only the first two words can count as the command; if one is a flag, every word counts.
   */
  get place(): string {
    const beginsWithCommand = this.#argv.slice(0, 2).every((word) => !word.startsWith("-"));
    const form = this.#argv.map((word, index) => {
      if (index === this.#at) return [`${flagOf(word)}…`];
      if (index < 2 || !beginsWithCommand) return word;
      return word.startsWith("-") ? flagOf(word) || word : "…";
    });
    return JSON.stringify(form);
  }

  /** The whole line with the name written in another way, to paste into a shell. */
  lineWith(name: string): string {
    const words = this.#argv.map((word, index) => (index === this.#at ? `${flagOf(word)}${name}` : word));
    return ["svc", ...words].map(shellWord).join(" ");
  }
}

/** `--name=` of `--name=value`. */
function flagOf(word: string): string {
  return /^--[\w-]+=/.exec(word)?.[0] ?? "";
}
