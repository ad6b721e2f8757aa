import { EmbeddingFailure, type EmbeddingFailureKind } from "../embedding-failure.ts";
import type { HttpEndpoint } from "./http-endpoint.ts";

/** llama-server reports it with 500, OpenAI and Ollama with 400: only the text distinguishes it from other failures. */
const saysTooLong =
  /too (large to process|long)|(maximum|exceeds?( the)?( available)?) context|input length exceeds|must have less than/i;
const tooLongStatuses = new Set([400, 413, 422, 500]);
const passing = new Set([408, 409, 425]);
/** Problems with the key, the account, the address or the model; Gemini answers 400 to a wrong key. */
const ofTheSetting = new Set([401, 402, 403, 404, 405]);
const saysKey = /api.?key/i;

export function failureOfStatus(response: Response, body: string, endpoint: HttpEndpoint): EmbeddingFailure {
  const { status } = response;
  const words = messageOf(endpoint.withoutKey(body));
  return new EmbeddingFailure(kindOf(status, words), `${endpoint.url.origin} answered ${status}: ${words}`, {
    status,
    retryAfterMs: retryAfterMs(response.headers.get("retry-after")),
  });
}

function kindOf(status: number, words: string): EmbeddingFailureKind {
  if (status === 413 || (tooLongStatuses.has(status) && saysTooLong.test(words))) return "too-long";
  if (status === 429) return "busy";
  if (status >= 500 || passing.has(status)) return "unavailable";
  const isRedirect = status < 400;
  return isRedirect || ofTheSetting.has(status) || saysKey.test(words) ? "unusable" : "refused";
}

/** The first words of it, on one line, for an operator's log. */
function messageOf(body: string): string {
  const message = /"(?:message|error)"\s*:\s*"((?:[^"\\]|\\.){1,300})/.exec(body.slice(0, 10_000))?.[1];
  return (message ?? body).slice(0, 300).replace(/[\p{C}\s]+/gu, " ");
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
