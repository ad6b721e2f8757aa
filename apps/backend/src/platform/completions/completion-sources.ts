import type { ValueKind } from "@svc/command-router/arguments/value-kind";
import { loadFeatureModules } from "@svc/command-router/feature-modules";
import type { Completion } from "@svc/protocol/completion";
import type { CommandContext } from "../commands/command-context.ts";

/** Candidates of one kind of value, for somebody who is typing a line. */
export interface CompletionSource {
  /** The command that lists the same things. Callers who may not run it get nothing. */
  listing: string;
  /** For how many seconds a client may use the candidates again. */
  maxAge: number;
  /**
   * At most `limit` words that begin with what was typed, through the rights that the listing command uses. What throws
   * has no candidates.
   */
  find(context: CommandContext, typed: string, limit: number): Promise<Completion[]>;
}

export function defineCompletions(source: CompletionSource): CompletionSource {
  return source;
}

/** Found by path, named after the kind of value: `features/<feature>/completions/<kind>.ts`. Several can share a kind. */
export class CompletionSources {
  readonly #byKind: ReadonlyMap<string, readonly CompletionSource[]>;

  static async load(featuresFolder: string): Promise<CompletionSources> {
    const modules = await loadFeatureModules<CompletionSource>(featuresFolder, "completions");
    const sorted = modules.sort((a, b) => (a.feature < b.feature ? -1 : 1));
    const byKind = Map.groupBy(sorted, ({ name }) => name);
    return new CompletionSources(
      new Map([...byKind].map(([kind, found]) => [kind, found.map(({ definition }) => definition)])),
    );
  }

  constructor(byKind: ReadonlyMap<string, readonly CompletionSource[]>) {
    this.#byKind = byKind;
  }

  get kinds(): string[] {
    return [...this.#byKind.keys()];
  }

  of(kinds: readonly ValueKind[]): CompletionSource[] {
    return kinds.flatMap((kind) => this.#byKind.get(kind) ?? []);
  }
}
