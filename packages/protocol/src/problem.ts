import { z } from "zod";
import { type ErrorCode, errorCodes, errorTable } from "./error-table.ts";
import { Next } from "./next.ts";

export const problemMediaType = "application/problem+json";

const Violation = z.object({
  argument: z.string(),
  message: z.string(),
  word: z.int().optional().describe("Of a typed line: the index of the wrong word in `argv`"),
});
export type Violation = z.infer<typeof Violation>;

/** RFC 9457, plus what a terminal needs. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(errorCodes),
    detail: z.string(),
    hint: z.string().optional(),
    exitCode: z.int(),
    requestId: z.string(),
    violations: z.array(Violation).optional(),
    next: Next.optional(),
  })
  .meta({ id: "Problem", description: "RFC 9457 problem details." });
export type Problem = z.infer<typeof Problem>;

export interface ProblemOptions {
  hint?: string;
  violations?: Violation[];
  /** `preview`: the same call, previewed anew. The router knows the call, and completes it. */
  next?: Next | "preview";
  cause?: unknown;
}

/** The one error that may reach a caller. Anything else becomes `internal`, with its message kept in the log. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly violations: Violation[] | undefined;
  readonly next: Next | "preview" | undefined;

  constructor(code: ErrorCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options);
    this.code = code;
    this.hint = options.hint;
    this.violations = options.violations;
    this.next = options.next;
  }

  /** The same error for one caller: another may be told the same one, and `next` is theirs alone. */
  withNext(next: Next | undefined): ProblemError {
    const { code, message, cause, stack } = this;
    const told = new ProblemError(code, message, cause === undefined ? {} : { cause });
    // With everything that was marked on it, such as where it comes from.
    return Object.assign(told, this, { next, stack });
  }

  toProblem(requestId: string): Problem {
    const { status, exitCode, title } = errorTable[this.code];
    return {
      type: `urn:svc:problem:${this.code}`,
      title,
      status,
      code: this.code,
      detail: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      exitCode,
      requestId,
      ...(this.violations === undefined ? {} : { violations: this.violations }),
      ...(this.next === undefined || this.next === "preview" ? {} : { next: this.next }),
    };
  }
}
