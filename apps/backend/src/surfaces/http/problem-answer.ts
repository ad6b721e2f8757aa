import { databaseFailure } from "@svc/database/database-failure";
import { ShareRefused } from "@svc/fair-shares/share-refused";
import { headers } from "@svc/protocol/headers";
import { type Problem, ProblemError, problemMediaType } from "@svc/protocol/problem";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { minimumClient } from "../../platform/process/version.ts";

export const maxBodyBytes = 1024 * 1024;

const codesOfFastify: Record<string, ConstructorParameters<typeof ProblemError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["too_large", `A request may have at most ${maxBodyBytes} bytes.`],
  FST_ERR_MAX_PARAM_LENGTH: ["too_large", "The address is too long."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "Send application/json."],
  FST_ERR_HANDLER_TIMEOUT: ["timeout", "The command took too long and was given up."],
};

/** The one answer to whatever went wrong, also before any route or hook was reached. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(error, request);
  // Who did not send his request in time is not waited for any longer.
  if (problem.code === "timeout" && !request.raw.complete) reply.header("connection", "close");
  void reply
    .code(problem.status)
    .headers({ [headers.requestId]: request.id, [headers.minimumClient]: minimumClient })
    .type(problemMediaType)
    .send(problem);
}

export function toProblem(error: unknown, request: FastifyRequest): Problem {
  const problem = toProblemError(error);
  if (problem.code === "internal" && !isOfWhoLeft(error, request)) {
    request.log.error({ err: error }, "unexpected error");
  }
  return problem.toProblem(request.id);
}

/** A stream ends early where its reader goes away, before its first line too: nothing is wrong with us then. */
function isOfWhoLeft(error: unknown, { raw }: FastifyRequest): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE" && raw.socket.destroyed;
}

/** Whatever was thrown, as one of the errors in the table. No stack, SQL or path gets through. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof ShareRefused) {
    return new ProblemError("unavailable", "Too many requests are in progress.", {
      hint: "Try again in a few seconds.",
    });
  }
  const { code = "", statusCode } = error as Partial<FastifyError>;
  const known = codesOfFastify[code];
  if (known) return new ProblemError(...known);
  if (code.startsWith("FST_") && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ProblemError("invalid_request", "The request is not well formed.");
  }
  const failure = databaseFailure(error);
  if (failure === "conflict") {
    return new ProblemError("conflict", "Somebody else made the same thing at this moment.", {
      hint: "Look again, then repeat.",
    });
  }
  if (failure === "timeout") return new ProblemError("timeout", "The database took too long.");
  if (failure === "unavailable") {
    return new ProblemError("unavailable", "The database cannot be reached.", {
      hint: "Try again in a moment.",
    });
  }
  return new ProblemError("internal", "Something went wrong on our side.", {
    hint: "The request id finds it in the service's log.",
    cause: error,
  });
}
