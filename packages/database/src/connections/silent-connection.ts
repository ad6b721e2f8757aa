/** A statement was sent and nothing came back, for longer than any statement may take. */
export class SilentConnection extends Error {
  override readonly name = "SilentConnection";
  readonly code = "ETIMEDOUT";

  constructor(silenceMillis: number) {
    super(`the database did not answer for ${silenceMillis / 1_000} s`);
  }
}
