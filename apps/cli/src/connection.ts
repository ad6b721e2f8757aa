import { CliAnswer, type CliRequest, ndjsonMediaType, ProgressAnswer } from "@svc/protocol/exchange";
import { headers } from "@svc/protocol/headers";
import { Problem } from "@svc/protocol/problem";
import manifest from "../package.json" with { type: "json" };
import { Failure } from "./failure.ts";

/** Environment in, header out: the one way for ambient context to reach the server. */
const environmentHeaders = {
  SVC_CLI_SESSION_TICKET: headers.sessionTicket,
  SVC_CURRENT_WORKSPACE_ID: headers.ambientWorkspace,
} as const;

const answerWithin = 60_000;

/** What the server answered instead of a result. */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** One server, one credential, one line that was typed. */
export class Connection {
  readonly baseUrl: string;
  readonly #headers: Record<string, string>;

  constructor(baseUrl: string, token: string, environment: NodeJS.ProcessEnv) {
    this.baseUrl = baseUrl;
    this.#headers = {
      authorization: `Bearer ${token}`,
      "user-agent": `svc/${manifest.version} (${process.platform}-${process.arch})`,
      // The same for whatever is sent twice: it happens once.
      [headers.idempotencyKey]: crypto.randomUUID(),
      ...ambientHeaders(environment),
    };
  }

  /** Sends the line; told of progress, it waits for as long as there is some. */
  async type(request: CliRequest, onProgress?: (progress: ProgressAnswer) => void): Promise<CliAnswer> {
    const timer = new AbortController();
    const late = () => timer.abort(new DOMException("no answer", "TimeoutError"));
    let timeout = setTimeout(late, answerWithin);
    try {
      const answer = await this.fetch("/api/v1/cli", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(onProgress ? { accept: ndjsonMediaType } : {}),
        },
        body: JSON.stringify(request),
        signal: timer.signal,
      });
      if (!answer.ok) throw await refusal(answer);
      if (!onProgress || !answer.body) return CliAnswer.parse(await answer.json());
      for await (const line of lines(answer.body)) {
        clearTimeout(timeout);
        timeout = setTimeout(late, answerWithin);
        const { kind, ...rest } = JSON.parse(line) as { kind: string };
        if (kind === "progress") onProgress(ProgressAnswer.parse({ kind, ...rest }));
        else if (kind === "problem") throw new Refusal(Problem.parse(rest));
        else return CliAnswer.parse({ kind, ...rest });
      }
      throw new Failure("internal", `${this.baseUrl} ended its answer too early.`);
    } finally {
      clearTimeout(timeout);
    }
  }

  /** An address that the server gave; only ever its own. */
  async fetch(href: string, options: RequestInit = {}): Promise<Response> {
    const address = new URL(href, this.baseUrl);
    if (address.origin !== new URL(this.baseUrl).origin) {
      throw new Failure("internal", `${this.baseUrl} sent svc to another server. It did not go there.`);
    }
    // A token goes to the address it was meant for and to no other.
    return fetch(address, {
      ...options,
      redirect: "error",
      headers: { ...this.#headers, ...options.headers },
    });
  }
}

export async function refusal(answer: Response): Promise<Refusal> {
  return new Refusal(Problem.parse(await answer.json()));
}

function ambientHeaders(environment: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(environmentHeaders).flatMap(([variable, header]) => {
    const value = environment[variable];
    return value ? [[header, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const parts = `${rest}${chunk}`.split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}
