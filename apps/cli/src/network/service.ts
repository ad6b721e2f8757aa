import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "@svc/machine/failure";
import { type Answer, type HttpOptions, request } from "@svc/machine/network/http";
import { LimitWait } from "@svc/machine/network/limit-wait";
import { NetworkFailure, wasCut } from "@svc/machine/network/network-failure";
import { userAgent } from "@svc/machine/network/user-agent";
import { isAnswerLine, isCallerContext, isCompletionsAnswer, isProblem } from "@svc/protocol/answers";
import type { CallerContext } from "@svc/protocol/caller";
import type { CompletionsAnswer } from "@svc/protocol/completion";
import type { CliAnswer, CliRequest, PageAnswer, ProgressAnswer } from "@svc/protocol/exchange";
import { headers } from "@svc/protocol/headers";
import type { Problem } from "@svc/protocol/problem";
import { parsedJson } from "@svc/protocol/shape";
import { build } from "../build.ts";
import type { Credential } from "../credentials/credential.ts";
import { ambientHeaders } from "../environment.ts";

/** What the server answered instead of a result. */
export class Refusal extends Error {
  readonly problem: Problem;
  /** When to retry, in seconds, if the server says so. */
  readonly retryAfter: number | undefined;
  /** The line that was refused, as it was sent. */
  readonly argv: readonly string[] | undefined;

  constructor(problem: Problem, retryAfter?: number, argv?: readonly string[]) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfter = retryAfter;
    this.argv = argv;
  }

  get hint(): string | undefined {
    const { hint, status } = this.problem;
    return hint ?? (status === 429 || status >= 500 ? tryAgainIn(this.retryAfter) : undefined);
  }
}

interface ServiceOptions {
  baseUrl: URL;
  credential: Credential;
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Told why it waits before the next attempt, and for how long. */
  onWait: (reason: string, millis: number) => void;
}

const ndjsonMediaType = "application/x-ndjson";
const attempts = 4;
const longestWait = 20_000;
const patience = 30_000;

/** One service, one credential, one line that was typed. */
export class Service {
  readonly baseUrl: URL;
  /** The oldest client that the service accepts, once it has answered. */
  minimumClient: string | undefined;
  readonly #limitWait = new LimitWait();
  readonly #options: ServiceOptions;
  readonly #headers: Record<string, string>;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.baseUrl = options.baseUrl;
    this.#headers = {
      "user-agent": userAgent("svc", build.version),
      // The same for every attempt: the line then runs once.
      [headers.idempotencyKey]: crypto.randomUUID(),
      ...ambientHeaders(options.environment),
    };
  }

  get credential(): Credential {
    return this.#options.credential;
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  /** Sends the line. While the server works on it, it sends at least empty lines. */
  type(
    line: CliRequest,
    onProgress: (progress: ProgressAnswer) => void,
    onPage?: (page: PageAnswer) => Promise<void>,
  ): Promise<CliAnswer> {
    /** Where a list continues if the connection breaks; null if all of it has arrived. */
    let after: string | null | undefined;
    return this.#again(async (begin) => {
      if (after === null) throw this.cut();
      const answer = await this.#send("/api/v1/cli", {
        method: "POST",
        headers: { "content-type": "application/json", accept: ndjsonMediaType },
        body: JSON.stringify({ ...line, after }),
      });
      if (!answer.ok) throw await this.refusal(answer);
      for await (const text of answer.lines()) {
        if (text.trim() === "") continue;
        const said = this.#parse(text, isAnswerLine);
        if (said.kind === "problem") throw new Refusal(said, undefined, line.argv);
        if (said.kind === "page") {
          await onPage?.(said);
          after = said.next ?? null;
          begin();
        } else if (said.kind === "progress") onProgress(said);
        else return said;
      }
      throw this.cut();
    }, toDoubt);
  }

  /** What can come next in the line. Once: somebody waits with a key pressed. */
  async complete(line: CliRequest): Promise<CompletionsAnswer> {
    const answer = await this.#send("/api/v1/cli", {
      method: "POST",
      headers: { "content-type": "application/json", [headers.completion]: "1" },
      body: JSON.stringify(line),
    });
    if (!answer.ok) throw await this.refusal(answer);
    return this.#parse(await answer.text(), isCompletionsAnswer);
  }

  /** The caller and their workspaces. */
  context(): Promise<CallerContext> {
    return this.#again(() => this.contextOnce());
  }

  /** The same without retries, for diagnosis. */
  async contextOnce(options: Pick<HttpOptions, "silenceMillis"> = {}): Promise<CallerContext> {
    const answer = await this.#send("/api/v1/context", options);
    if (!answer.ok) throw await this.refusal(answer);
    return this.#parse(await answer.text(), isCallerContext);
  }

  /** Fetches an address that the server gave, on its own origin only. Retrying is up to the caller. */
  async fetch(href: string, options: Omit<HttpOptions, "signal">): Promise<Answer> {
    return this.#send(href, options);
  }

  /** In the server's words, if there are any; a proxy or a gateway in between sends only a page. */
  async refusal(answer: Answer): Promise<Refusal | Failure> {
    const problem = parsedJson(await answer.text());
    const retryAfter = secondsOf(answer.headers.get("retry-after"));
    return isProblem(problem)
      ? new Refusal(problem, retryAfter)
      : this.#notUnderstood(answer.status, retryAfter);
  }

  /** An answer that ended before it was complete. */
  cut(): NetworkFailure {
    return wasCut(this.baseUrl);
  }

  async #send(href: string, options: Omit<HttpOptions, "signal">): Promise<Answer> {
    const address = new URL(href, this.baseUrl);
    // A token is sent only to the address it was issued for.
    if (address.origin !== this.baseUrl.origin) {
      throw new Failure(
        "internal",
        `${this.baseUrl.origin} sent svc to another server. It did not go there.`,
      );
    }
    // guard: attempts-share-a-key
    const withToken = async (token: string) =>
      request(address, {
        ...options,
        signal: this.signal,
        headers: { ...this.#headers, authorization: `Bearer ${token}`, ...options.headers },
      });
    const token = await this.credential.token();
    let answer = await withToken(token);
    if (answer.status === 401 && options.method !== "PATCH") {
      const renewed = await this.credential.renewed(token);
      if (renewed !== undefined) {
        await answer.discard();
        answer = await withToken(renewed);
      }
    }
    this.minimumClient = answer.headers.get(headers.minimumClient) ?? this.minimumClient;
    return answer;
  }

  /** Waits if the server limits requests and says for how long. False for other errors, and if it has waited too long. */
  async waitForLimit(error: unknown): Promise<boolean> {
    const seconds = limitOf(error);
    if (seconds === undefined) return false;
    return this.#limitWait.wait(seconds, this.signal, () =>
      this.#options.onWait(`${this.baseUrl.host} is rate limiting requests.`, seconds * 1_000),
    );
  }

  /** Everything here may be sent twice: the key makes it run once. */
  async #again<Result>(
    work: (begin: () => void) => Promise<Result>,
    onDoubt: (error: unknown) => unknown = (error) => error,
  ): Promise<Result> {
    let [began, attempt] = [0, 0];
    const begin = () => {
      [began, attempt] = [performance.now(), 0];
    };
    begin();
    let wasSent = false;
    for (;;) {
      attempt += 1;
      try {
        return await work(begin);
      } catch (error) {
        if (await this.waitForLimit(error)) {
          begin();
          continue;
        }
        wasSent ||= error instanceof NetworkFailure && error.wasSent;
        const wait = waitBefore(error, attempt);
        if (wait === undefined || attempt === attempts || performance.now() - began + wait > patience)
          throw wasSent ? onDoubt(error) : error;
        this.#options.onWait((error as Error).message, wait);
        await sleep(wait, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted());
      }
    }
  }

  #parse<Value>(text: string, isRight: (value: unknown) => value is Value): Value {
    const value = parsedJson(text);
    if (isRight(value)) return value;
    throw this.#notUnderstood(200);
  }

  #notUnderstood(status: number, retryAfter?: number): Failure {
    const { host } = this.baseUrl;
    const later = { hint: tryAgainIn(retryAfter), retryAfter };
    if (status === 429)
      return new NetworkFailure("tooManyRequests", `${host} is rate limiting requests.`, later);
    if (status === 502 || status === 503 || status === 504) {
      return new NetworkFailure("unavailable", `${host} is not available (${status}).`, {
        ...later,
        wasSent: status !== 503,
      });
    }
    return new Failure("internal", `${host} sent an answer that svc does not understand (${status}).`, {
      hint: "Check SVC_BASE_URL. A proxy, a gateway or a login page may be answering instead.",
    });
  }
}

/** How long to wait before a retry, in milliseconds; undefined if a retry makes no sense. */
export function waitBefore(error: unknown, attempt: number): number | undefined {
  if (!isPassing(error, attempt)) return undefined;
  const { retryAfter = 0 } = error;
  const pause = 200 * 3 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return retryAfter * 1_000 > longestWait ? undefined : Math.max(pause, retryAfter * 1_000);
}

/** How long the server wants no requests, in seconds: at least one, so that nobody asks without a pause. */
function limitOf(error: unknown): number | undefined {
  if (!(error instanceof Refusal || error instanceof NetworkFailure)) return undefined;
  const isLimit = error instanceof Refusal ? error.problem.status === 429 : error.kind === "tooManyRequests";
  return isLimit && error.retryAfter !== undefined ? Math.max(1, error.retryAfter) : undefined;
}

function isPassing(error: unknown, attempt: number): error is Refusal | NetworkFailure {
  if (error instanceof Refusal) return error.problem.status === 429 || error.problem.status === 503;
  if (!(error instanceof NetworkFailure)) return false;
  const { kind } = error;
  if (kind === "timeout") return attempt === 1;
  return kind === "noNetwork" || kind === "unavailable" || kind === "tooManyRequests";
}

/** If somebody types the line again, it has another key and may run twice. */
function toDoubt(error: unknown): unknown {
  if (!(error instanceof NetworkFailure)) return error;
  const { kind, message, hint = "" } = error;
  return new NetworkFailure(kind, message, {
    hint: `The command may have run anyway: check before you repeat it. ${hint}`,
    wasSent: true,
    cause: error,
  });
}

function tryAgainIn(seconds: number | undefined): string {
  if (seconds === undefined) return "Try again later.";
  return `Try again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`}.`;
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
