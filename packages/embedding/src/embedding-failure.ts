/**
 * - busy: the provider wants a pause, of `retryAfterMs` if it says so
 * - unavailable: a server error, no connection, no answer in time; worth another try
 * - unusable: key, address or model are not what the setting says; whatever the text, until somebody mends it
 * - refused: the request is not accepted; a retry would fail too
 * - too-long: one of these texts can never be embedded
 * - malformed: the answer is unusable, or not from this model
 */
export type EmbeddingFailureKind = "busy" | "unavailable" | "unusable" | "refused" | "too-long" | "malformed";

interface FailureDetails {
  /** Of HTTP. */
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

export class EmbeddingFailure extends Error {
  override readonly name = "EmbeddingFailure";
  /** Where it comes from, as errors of other dependencies say too. */
  readonly dependency = "model";
  readonly kind: EmbeddingFailureKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(kind: EmbeddingFailureKind, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}
