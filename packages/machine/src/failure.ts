import type { exitCode } from "@svc/protocol/exit-code";

export type FailureKind = keyof typeof exitCode;

/** Something that svc itself refuses or cannot do: what happened, what to do next, and the exit code. */
export class Failure extends Error {
  override readonly name: string = "Failure";
  readonly kind: FailureKind;
  readonly hint: string | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    { hint, ...options }: { hint?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.hint = hint;
  }
}

/** Ctrl-C, or a polite request to end. */
export class Interrupted extends Failure {
  constructor() {
    super("interrupted", "Interrupted.");
  }
}
