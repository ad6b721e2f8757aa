import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AnswerLog } from "./answer-log.ts";

export interface Account {
  /** May change: a process that was killed starts on another port. */
  url(): string;
  token: string;
  workspace: string;
}

/** Longer than any answer may take: a command has 30 s, and its arrival 10 s. */
const hungMillis = 60_000;
/** A caller who was refused tries again, but does not flood. */
const pauseMillis = 100;

/** Writers that repeat each write with its key until it is acknowledged, and readers that go on. */
export class Callers {
  readonly log = new AnswerLog();
  /** Folders whose creation was acknowledged. */
  readonly acknowledged: string[] = [];
  readonly #account: Account;
  readonly #run = randomUUID().slice(0, 8);
  readonly #loops: Promise<void>[];
  /** An answer that no outage explains. It ends the load. */
  #refusal: string | undefined;
  #isStopped = false;

  constructor(account: Account, { writers, readers }: { writers: number; readers: number }) {
    this.#account = account;
    this.#loops = [
      ...Array.from({ length: writers }, (_, number) => this.#write(number)),
      ...Array.from({ length: readers }, () => this.#read()),
    ];
  }

  /** Every write that was begun is repeated until it is acknowledged. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
    if (this.#refusal !== undefined) throw new Error(this.#refusal);
  }

  async #write(writer: number): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const name = `${this.#run}-${writer}-${turn}`;
      const key = randomUUID();
      const isAcknowledged = () => this.#call("write", "files/mkdir", { folder: `/${name}` }, key);
      while (!(await isAcknowledged())) {
        if (this.#refusal !== undefined) return;
        await sleep(pauseMillis);
      }
      this.acknowledged.push(name);
    }
  }

  async #read(): Promise<void> {
    while (!this.#isStopped) {
      if (!(await this.#call("read", "files/list", { limit: 5 }))) await sleep(pauseMillis);
    }
  }

  async #call(kind: "read" | "write", command: string, body: object, key?: string): Promise<boolean> {
    const sentAt = performance.now();
    const answer = await fetch(`${this.#account.url()}/api/v1/commands/${command}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${this.#account.token}`,
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      body: JSON.stringify({ arguments: body, workspace: this.#account.workspace }),
      signal: AbortSignal.timeout(hungMillis),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    const status = text === undefined ? 0 : (answer?.status ?? 0);
    if (status >= 400 && status < 500) {
      this.#refusal = `${command} was refused: ${text}`;
      this.#isStopped = true;
    }
    const hasRetryAfter = answer?.headers.has("retry-after") ?? false;
    this.log.add({ kind, sentAt, answeredAt: performance.now(), status, hasRetryAfter });
    return status === 200;
  }
}
