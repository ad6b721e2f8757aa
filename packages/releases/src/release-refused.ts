/** A release that must not be installed, and why. */
export class ReleaseRefused extends Error {
  override readonly name = "ReleaseRefused";
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
