import type { AuditEntry } from "@svc/command-router/audit-entry";
import type { Log } from "../process/log.ts";

/** Refusals of one actor that get their own entries within a window; further ones are counted. */
const listedEach = 20;
const windowMillis = 60_000;

type Append = (entry: AuditEntry) => Promise<void>;

interface Window {
  listed: number;
  /** Refusals that were only counted, by command. */
  counted: Map<string, number>;
  /** Writes the count under the last call that was counted. */
  last?: { append: Append; entry: AuditEntry };
  timer: NodeJS.Timeout;
}

/**
 * Keeps one caller from filling the audit log, which nobody can delete from. The last listed refusal says that counting
 * begins, and the count follows as an entry when the minute ends or the process stops: the chain shows that something
 * is missing even if a crash loses the count.
 */
export class RefusalLog {
  readonly #log: Log;
  readonly #windows = new Map<string, Window>();

  constructor(log: Log) {
    this.#log = log;
  }

  async note(actor: string, entry: AuditEntry, append: Append): Promise<void> {
    const window = this.#windows.get(actor) ?? this.#open(actor);
    if (window.listed < listedEach) {
      window.listed += 1;
      await append(window.listed === listedEach ? { ...entry, countingFollows: true } : entry);
      return;
    }
    window.counted.set(entry.command, (window.counted.get(entry.command) ?? 0) + 1);
    window.last = { append, entry };
  }

  /** Writes all counts; for the end of the process. */
  async flush(): Promise<void> {
    await Promise.all([...this.#windows.keys()].map((actor) => this.#close(actor)));
  }

  #open(actor: string): Window {
    const timer = setTimeout(() => void this.#close(actor), windowMillis).unref();
    const window = { listed: 0, counted: new Map<string, number>(), timer };
    this.#windows.set(actor, window);
    return window;
  }

  async #close(actor: string): Promise<void> {
    const window = this.#windows.get(actor);
    this.#windows.delete(actor);
    clearTimeout(window?.timer);
    if (!window?.last) return;
    const { append, entry } = window.last;
    const byCommand = Object.fromEntries(window.counted);
    const more = [...window.counted.values()].reduce((sum, count) => sum + count, 0);
    const { command, effect, outcome, code } = entry;
    try {
      await append({
        command,
        effect,
        arguments: {},
        outcome,
        ...(code === undefined ? {} : { code }),
        more,
        byCommand,
      });
    } catch (error) {
      this.#log.error(
        { err: error, actor, more, byCommand },
        "could not write a count of refusals to the audit log",
      );
    }
  }
}
