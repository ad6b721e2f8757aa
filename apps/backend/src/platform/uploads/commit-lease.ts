import { mkdir, open, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProgressAnswer } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import { attribute } from "../process/dependency.ts";
import { absent } from "./piece-writer.ts";
import { writeWhole } from "./tree-folder.ts";

export type Progress = Omit<ProgressAnswer, "kind">;

const beatMillis = 1_000;
/** A process that has not shown itself for so long has died. If it was only slow, both store the same, and one finds it done. */
const staleMillis = 6_000;
const description = "call.json";

export interface Attempt {
  number: number;
  isAlive: boolean;
  progress?: Progress | undefined;
}

/**
 * Which process stores the files of a call, for all that share their folder: a file per attempt, which its process
 * touches while it works. The next number can be created only once, so that only one process takes over from a dead one.
 */
export class CommitLease {
  readonly #folder: string;

  /** `folder` is that of the call. The lease has its own in it, so that looking at it costs the same for any tree. */
  constructor(folder: string) {
    this.#folder = join(folder, "commit");
  }

  async latest(): Promise<Attempt | undefined> {
    const names = (await readdir(this.#folder).catch(absent)) ?? [];
    const number = Math.max(0, ...names.map(numberOf));
    if (number === 0) return undefined;
    const place = this.#place(number);
    const found = await stat(place).catch(absent);
    if (!found) return undefined;
    const isAlive = found.mtimeMs > Date.now() - staleMillis;
    return { number, isAlive, progress: isAlive ? await readProgress(place) : undefined };
  }

  /** Throws if another process is storing them. */
  async take(): Promise<HeldLease> {
    const latest = await this.latest();
    if (latest?.isAlive) throw storedElsewhere();
    const number = (latest?.number ?? 0) + 1;
    await attribute("store", async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(this.#place(number), "", { flag: "wx", mode: 0o600 }).catch(
        (error: NodeJS.ErrnoException) => {
          throw error.code === "EEXIST" ? storedElsewhere() : error;
        },
      );
    });
    return new HeldLease(this.#place(number), this.#place(number + 1));
  }

  /** With this, any process can do the work. */
  describe(commit: unknown): Promise<void> {
    const place = join(this.#folder, description);
    return attribute("store", () => writeWhole(place, JSON.stringify(commit)));
  }

  async described(): Promise<unknown> {
    const text = await readFile(join(this.#folder, description), "utf8").catch(absent);
    return text === undefined ? undefined : JSON.parse(text);
  }

  #place(number: number): string {
    return join(this.#folder, `attempt-${number}`);
  }
}

export class HeldLease {
  /** Aborts if another process believes that this one is dead. */
  readonly lost: AbortSignal;
  readonly #place: string;
  readonly #timer: NodeJS.Timeout;
  #progress: Progress | undefined;
  #beating: Promise<void> = Promise.resolve();

  constructor(place: string, next: string) {
    const controller = new AbortController();
    this.#place = place;
    this.lost = controller.signal;
    const beat = async () => {
      if (await stat(next).catch(absent)) controller.abort(storedElsewhere());
      else await rewrite(place, JSON.stringify(this.#progress ?? null)).catch(absent);
    };
    this.#timer = setInterval(() => {
      this.#beating = beat().catch((error: unknown) => controller.abort(error));
    }, beatMillis).unref();
  }

  note(progress: Progress): void {
    this.#progress = progress;
  }

  /** From now on another process can take it. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    await utimes(this.#place, 0, 0).catch(absent);
  }
}

/** Never creates it: its folder may be on its way out, and could not be removed with something new in it. */
async function rewrite(place: string, text: string): Promise<void> {
  await using file = await open(place, "r+");
  await file.truncate();
  await file.writeFile(text);
}

async function readProgress(place: string): Promise<Progress | undefined> {
  const text = (await readFile(place, "utf8").catch(absent)) ?? "";
  try {
    return (JSON.parse(text) as Progress | null) ?? undefined;
  } catch {
    // It is being written.
    return undefined;
  }
}

function numberOf(name: string): number {
  return Number(/^attempt-(\d{1,6})$/.exec(name)?.[1] ?? 0);
}

function storedElsewhere(): ProblemError {
  return new ProblemError("unavailable", "Another process is storing these files.", {
    hint: "Repeat the line in a few seconds.",
  });
}
