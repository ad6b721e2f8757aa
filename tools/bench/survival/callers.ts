import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AnswerLog, type CallKind } from "./answer-log.ts";

export interface Account {
  /** May change: a process that was killed starts on another port. */
  url(): string;
  token: string;
  workspace: string;
}

interface Load {
  writers: number;
  readers: number;
  uploaders?: number;
  searchers?: number;
  /** Between two calls of one caller. */
  pauseMillis?: number;
  /** Where several groups of callers note what they see. */
  log?: AnswerLog;
}

/** Longer than any answer may take: a command has 30 s, and its arrival 10 s. */
const hungMillis = 60_000;
/** A caller who was refused tries again, but does not flood. */
const retryMillis = 100;

/** Callers that repeat each write and upload with its key until it is acknowledged, and others that read and search. */
export class Callers {
  readonly log: AnswerLog;
  /** Folders and files whose creation was acknowledged. */
  readonly acknowledged: string[] = [];
  readonly #account: Account;
  readonly #run = randomUUID().slice(0, 8);
  readonly #loops: Promise<void>[];
  #created = 0;
  /** An answer that no outage explains. It ends the load. */
  #refusal: string | undefined;
  #isStopped = false;

  constructor(account: Account, load: Load) {
    const { writers, readers, uploaders = 0, searchers = 0, pauseMillis = 0, log = new AnswerLog() } = load;
    this.#account = account;
    this.log = log;
    const loops = (count: number, step: () => Promise<unknown>) =>
      Array.from({ length: count }, async () => {
        for (; !this.#isStopped; await sleep(pauseMillis)) await step();
      });
    this.#loops = [
      ...loops(writers, () => this.#create((name, key) => this.#makeFolder(name, key))),
      ...loops(uploaders, () => this.#create((name, key) => this.#putFile(name, key))),
      ...loops(readers, async () => (await this.#list()) || (await sleep(retryMillis))),
      ...loops(searchers, async () => (await this.#search()) || (await sleep(retryMillis))),
    ];
  }

  /** Everything that was begun is repeated until it is acknowledged. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
    if (this.#refusal !== undefined) throw new Error(this.#refusal);
  }

  async #create(attempt: (name: string, key: string) => Promise<unknown>): Promise<void> {
    this.#created += 1;
    const name = `${this.#run}-${this.#created}`;
    const key = randomUUID();
    while (!(await attempt(name, key))) {
      if (this.#refusal !== undefined) return;
      await sleep(retryMillis);
    }
    this.acknowledged.push(name);
  }

  #makeFolder(name: string, key: string): Promise<unknown> {
    return this.#call("write", "commands/files/mkdir", this.#ofCommand({ folder: `/${name}` }), key);
  }

  /** As `svc` does with small files: sends the line, then the line with the requested file. */
  async #putFile(name: string, key: string): Promise<unknown> {
    const line = { argv: ["files", "put", `./${name}`, `/${name}`, "--workspace", this.#account.workspace] };
    const asked = await this.#call("upload", "cli", line, key);
    if (!asked) return undefined;
    const { continuation } = JSON.parse(asked) as { continuation: string };
    const text = `${name} was written in the harbour. `.repeat(20);
    const contents = [{ path: `./${name}`, base64: Buffer.from(text).toString("base64") }];
    return this.#call("upload", "cli", { ...line, continuation, contents }, key);
  }

  #list(): Promise<unknown> {
    return this.#call("read", "commands/files/list", this.#ofCommand({ limit: 5 }));
  }

  #search(): Promise<unknown> {
    return this.#call("search", "search", { query: "harbour" });
  }

  #ofCommand(args: object): object {
    return { arguments: args, workspace: this.#account.workspace };
  }

  /** Resolves with the text of a successful answer. */
  async #call(kind: CallKind, path: string, body: object, key?: string): Promise<string | undefined> {
    const sentAt = performance.now();
    const answer = await fetch(`${this.#account.url()}/api/v1/${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${this.#account.token}`,
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(hungMillis),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    const status = text === undefined ? 0 : (answer?.status ?? 0);
    if (status >= 400 && status < 500) {
      this.#refusal = `${path} was refused: ${text}`;
      this.#isStopped = true;
    }
    const hasRetryAfter = answer?.headers.has("retry-after") ?? false;
    this.log.add({ kind, sentAt, answeredAt: performance.now(), status, hasRetryAfter });
    return status === 200 ? text : undefined;
  }
}
