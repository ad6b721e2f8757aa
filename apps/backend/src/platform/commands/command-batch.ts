import type { CommandContext } from "./command-context.ts";
import { PerTransaction } from "./per-transaction.ts";

/** Ids that a command's listeners collect one by one, for work that is done on all of them once, at its end. */
export class CommandBatch {
  readonly #all = new PerTransaction<Set<string>>();

  /** All ids under one name are handled together by the first work given, in the order of the ids. */
  add(
    context: CommandContext,
    name: string,
    ids: readonly string[],
    work: (all: string[]) => Promise<void>,
  ): void {
    const waiting = this.#all.of(context.transaction);
    const gathered = waiting.get(name) ?? new Set();
    for (const id of ids) gathered.add(id);
    if (waiting.has(name)) return;
    waiting.set(name, gathered);
    context.beforeCommit(() => work([...gathered].sort()));
  }
}
