import { setImmediate as breathe, setTimeout as sleep } from "node:timers/promises";
import type { Failure } from "../failure.ts";
import { isLoopback } from "./is-loopback.ts";
import { NetworkFailure, toNetworkFailure } from "./network-failure.ts";
import { proxyOf } from "./proxy.ts";

export interface HttpOptions {
  method?: "GET" | "HEAD" | "POST" | "PATCH" | undefined;
  headers?: Record<string, string> | undefined;
  body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  signal: AbortSignal;
  /** The longest allowed silence of both sides, in milliseconds. */
  silenceMillis?: number | undefined;
  /** Only releases may be redirected; everything else must be at its own address. */
  follow?: "https" | undefined;
}

const usualSilence = 15_000;
const largestText = 512 * 1_024 * 1_024;
const mostRedirects = 5;
const lookMillis = 3;

/** Bun's own; Node has nothing like it. */
const { Bun: runtime } = globalThis as {
  Bun?:
    | { file(descriptor: number): Blob; write(file: Blob, response: Response): Promise<number> }
    | undefined;
};

/** For Bun, which reads the environment itself; under Node there are no proxies. */
const withoutProxy = { proxy: false } as RequestInit;

/**
 * The one way out: to the service, the identity provider and the releases. Proxy variables, NO_PROXY, the system's
 * trust store and SSL_CERT_FILE are handled by the runtime; time limits, redirects and failures are handled here.
 */
export async function request(address: URL, options: HttpOptions, redirects = 0): Promise<Answer> {
  if (address.protocol !== "https:" && !isLoopback(address)) throw inTheClear(address);
  const silence = new Silence(options.signal, options.silenceMillis ?? usualSilence);
  try {
    const { method = "GET", headers = {}, body } = options;
    const response = await fetch(address, {
      method,
      headers,
      ...(body === undefined ? {} : { body: toBody(body, silence), duplex: "half" }),
      redirect: "manual",
      signal: silence.signal,
      ...(isLoopback(address) ? withoutProxy : {}),
    });
    silence.touch();
    const target = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || target === null) {
      return new Answer(address, response, silence);
    }
    await response.body?.cancel();
    silence.end();
    if (!URL.canParse(target, address.href)) throw notGoing(address, "an invalid address");
    return await redirected(address, new URL(target, address), options, redirects);
  } catch (error) {
    silence.end();
    throw await toNetworkFailure(error, address, { signal: options.signal, proxy: proxyOf(address) });
  }
}

function inTheClear({ origin }: URL): NetworkFailure {
  return new NetworkFailure("usage", `${origin} is not https. svc uses plain http on this machine only.`);
}

function notGoing(from: URL, place: string): NetworkFailure {
  return new NetworkFailure("internal", `${from.host} redirected to ${place}. svc did not follow.`, {
    hint: "If the service has moved, set SVC_BASE_URL to its new address.",
  });
}

function redirected(from: URL, to: URL, options: HttpOptions, redirects: number): Promise<Answer> {
  const place = `${to.protocol}//${to.host}`;
  if (options.follow === undefined || redirects === mostRedirects) {
    throw notGoing(from, place);
  }
  if (to.protocol !== "https:") {
    throw new NetworkFailure("updateRefused", `${from.host} redirected to ${place}, which is not https.`);
  }
  return request(to, options, redirects + 1);
}

/** The answer; if its body stops arriving, reading it fails. */
export class Answer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  readonly #address: URL;
  readonly #response: Response;
  readonly #silence: Silence;

  constructor(address: URL, response: Response, silence: Silence) {
    this.#address = address;
    this.#response = response;
    this.#silence = silence;
    this.status = response.status;
    this.ok = response.ok;
    this.headers = response.headers;
    if (!response.body) silence.end();
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      if (!this.#response.body) return;
      for await (const chunk of this.#response.body) {
        this.#silence.pause();
        yield chunk;
        this.#silence.touch();
      }
    } catch (error) {
      throw await this.#failure(error);
    } finally {
      this.#silence.end();
    }
  }

  /** Whether the runtime can write an answer by itself. */
  static get canSave(): boolean {
    return runtime !== undefined;
  }

  /**
   * The runtime writes it to an open file, without passing each chunk through. Meanwhile `look` reports whether more
   * has arrived; if it throws, the transfer stops.
   */
  async save(descriptor: number, look: () => boolean): Promise<void> {
    if (!runtime) throw new Error("this runtime cannot save an answer");
    let isDone = false;
    const writing = runtime.write(runtime.file(descriptor), this.#response).finally(() => {
      isDone = true;
    });
    try {
      while (!isDone) {
        const hasCome = look();
        if (hasCome) this.#silence.touch();
        await (hasCome ? breathe() : Promise.race([writing, sleep(lookMillis)]));
      }
      await writing;
    } catch (error) {
      this.#silence.abandon();
      await writing.catch(() => {});
      // Failures of the disk are not failures of the network.
      if (isOfDisk(error)) throw error;
      throw await this.#failure(error);
    } finally {
      this.#silence.end();
    }
  }

  async text(): Promise<string> {
    const pieces: string[] = [];
    let size = 0;
    for await (const piece of this.#pieces()) {
      size += piece.length;
      this.#requireFits(size);
      pieces.push(piece);
    }
    return pieces.join("");
  }

  /** A line may have many megabytes: its pieces are joined once, at its end. There may be any number of lines. */
  async *lines(): AsyncGenerator<string> {
    let pieces: string[] = [];
    let size = 0;
    for await (const piece of this.#pieces()) {
      const [first = "", ...others] = piece.split("\n");
      size = others.length === 0 ? size + piece.length : (others.at(-1) ?? "").length;
      this.#requireFits(size);
      pieces.push(first);
      for (const next of others) {
        yield pieces.join("");
        pieces = [next];
      }
    }
    yield pieces.join("");
  }

  async *#pieces(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    for await (const chunk of this.chunks()) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  }

  #requireFits(size: number): void {
    if (size <= largestText) return;
    throw new NetworkFailure("tooLarge", `The answer from ${this.#address.host} is too large.`);
  }

  #failure(error: unknown): Promise<Failure> {
    const { outer: signal } = this.#silence;
    return toNetworkFailure(error, this.#address, { signal, proxy: proxyOf(this.#address) });
  }

  /** Closes the connection without reading the rest. */
  async discard(): Promise<void> {
    this.#silence.end();
    await this.#response.body?.cancel().catch(() => {});
  }
}

/** Ends an exchange that has gone silent or that was cancelled. */
class Silence {
  readonly outer: AbortSignal;
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #lastMove = performance.now();

  constructor(outer: AbortSignal, millis: number) {
    this.outer = outer;
    this.signal = AbortSignal.any([outer, this.#controller.signal]);
    // One timer that checks the clock: a timer per chunk costs more than the chunk.
    this.#timer = setInterval(
      () => {
        if (performance.now() - this.#lastMove < millis) return;
        this.#controller.abort(new NetworkFailure("timeout", "No data arrived for too long."));
        clearInterval(this.#timer);
      },
      Math.min(500, millis / 4),
    );
  }

  touch(): void {
    this.#lastMove = performance.now();
  }

  /**
   * Until the next activity: a slow reader, or a sender with nothing to send yet, does not mean that the network is
   * dead.
   */
  pause(): void {
    this.#lastMove = Number.POSITIVE_INFINITY;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  /** Ends the exchange itself. */
  abandon(): void {
    this.#controller.abort();
  }
}

function isOfDisk(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT|EIO|EFBIG|EROFS|EACCES|EPERM|ENOENT)$/.test(
    String((error as { code?: unknown | undefined }).code),
  );
}

function toBody(body: NonNullable<HttpOptions["body"]>, silence: Silence): NonNullable<RequestInit["body"]> {
  if (typeof body === "string" || body instanceof Uint8Array) return body as NonNullable<RequestInit["body"]>;
  const iterator = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      silence.pause();
      const { done, value } = await iterator.next();
      silence.touch();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
