import { exitCode } from "@svc/protocol/exit-code";

/** Something that svc itself refuses or cannot do: what happened, what to do next, and how it ends. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(
    code: keyof typeof exitCode,
    message: string,
    { hint, ...options }: { hint?: string; cause?: unknown } = {},
  ) {
    super(message, options);
    this.exitCode = exitCode[code];
    this.hint = hint;
  }
}
