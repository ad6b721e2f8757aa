import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const tool = fileURLToPath(new URL("../../../tools/local-server/spare-postgres.ts", import.meta.url));

/** A private PostgreSQL for a test that breaks it. It checks passwords, which the shared server does not. */
export class SparePostgres {
  /** Of its superuser. */
  readonly url: string;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  private constructor(
    process: ChildProcessByStdio<Writable, Readable, null>,
    lines: AsyncIterator<string>,
    url: string,
  ) {
    this.#process = process;
    this.#lines = lines;
    this.url = url;
  }

  static async start(): Promise<SparePostgres> {
    const child = spawn(process.execPath, [tool], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return new SparePostgres(child, lines, await answerOf(lines));
  }

  /** Restarts it in recovery, until somebody calls pg_promote(). */
  becomeStandby(): Promise<void> {
    return this.#ask("standby");
  }

  /** Resolves when it has recovered. */
  crash(): Promise<void> {
    return this.#ask("crash");
  }

  async #ask(what: string): Promise<void> {
    this.#process.stdin.write(`${what}\n`);
    await answerOf(this.#lines);
  }

  async remove(): Promise<void> {
    this.#process.stdin.end();
    await once(this.#process, "exit");
  }
}

async function answerOf(lines: AsyncIterator<string>): Promise<string> {
  const { done, value } = await lines.next();
  if (done) throw new Error("the spare PostgreSQL ended; its reason is above");
  return value;
}
