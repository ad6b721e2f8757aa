import type { CommandContext } from "./command-context.ts";
import { PerTransaction } from "./per-transaction.ts";

/** Ids that a command's listeners come across one by one, for what is done with all of them once, at its end. */
export class Gathered {
  readonly #all = new PerTransaction<Set<string>>();

  /** Of one name all are done together, by the work that came with the first; in the order of the ids. */
  add(
    context: CommandContext,
    name: string,
    ids: readonly string[],
    work: (all: string[]) => Promise<void>,
  ): void {
    const waiting = this.#all.of(context.transaction);
    const known = waiting.get(name) ?? new Set();
    for (const id of ids) known.add(id);
    if (waiting.has(name)) return;
    waiting.set(name, known);
    context.beforeCommit(() => work([...known].sort()));
  }
}
