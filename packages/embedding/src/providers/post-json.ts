import { join } from "node:path/posix";
import { EmbeddingFailure } from "../embedding-failure.ts";
import { failureOfStatus } from "./failure-of-status.ts";
import type { HttpEndpoint } from "./http-endpoint.ts";

/** Several times the size of the largest answer to our requests, as text. */
const maxAnswerBytes = 32 * 1024 * 1024;

/**
 * The path is appended to the endpoint's. One attempt; time limit and signal apply until the last byte of the answer.
 */
export async function postJson(
  endpoint: HttpEndpoint,
  path: string,
  body: object,
  signal: AbortSignal,
): Promise<unknown> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => stop.abort(), endpoint.timeoutMs);
  try {
    const { response, text } = await exchange(endpoint, path, body, stop.signal);
    if (!response.ok) throw failureOfStatus(response, text, endpoint);
    return parse(text, endpoint);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EmbeddingFailure) throw error;
    const reason = stop.signal.aborted ? `within ${endpoint.timeoutMs} ms` : codeOf(error);
    throw new EmbeddingFailure("unavailable", `${endpoint.url.origin} did not answer: ${reason}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    // Stops what is still running: an answer that is too long is not read to its end.
    stop.abort();
  }
}

async function exchange(endpoint: HttpEndpoint, path: string, body: object, signal: AbortSignal) {
  const url = new URL(endpoint.url);
  url.pathname = join(url.pathname, path);
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...endpoint.headers() },
    body: JSON.stringify(body),
    // A redirect would send key and documents to an address that nobody configured.
    redirect: "manual",
    signal,
  });
  return { response, text: await readBounded(response, endpoint) };
}

async function readBounded(response: Response, endpoint: HttpEndpoint): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) {
      const message = `${endpoint.url.origin} answered with more than ${maxAnswerBytes} bytes`;
      throw new EmbeddingFailure("malformed", message, { status: response.status });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string, endpoint: HttpEndpoint): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new EmbeddingFailure("malformed", `${endpoint.url.origin} sent an answer that is not JSON`);
  }
}

function codeOf(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown } } | undefined)?.cause;
  return typeof cause?.code === "string" ? cause.code : "the connection broke";
}
