import { ShareRefused } from "@svc/fair-shares/share-refused";
import { headers } from "@svc/protocol/headers";
import { type Problem, ProblemError, problemMediaType } from "@svc/protocol/problem";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { minimumClient } from "../../platform/process/version.ts";
import { dependencyProblem } from "./dependency-problem.ts";

export const maxBodyBytes = 1024 * 1024;

/** For clients that retry by themselves: soon enough to notice the end of a failover. */
const outageSeconds = 2;

const codesOfFastify: Record<string, ConstructorParameters<typeof ProblemError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["too_large", `A request can have at most ${maxBodyBytes} bytes.`],
  FST_ERR_MAX_PARAM_LENGTH: ["too_large", "The address is too long."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "Send application/json."],
  FST_ERR_HANDLER_TIMEOUT: ["timeout", "The command timed out."],
};

/** The one answer to every error, even before any route or hook was reached. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(error, request);
  // Closes the connection of a caller who did not send their request in time, or whom we do not know: they could hold it,
  // and go on sending a body that nobody reads.
  // guard: strangers-are-hung-up-on
  if (isHungUpOn(problem, request)) reply.header("connection", "close");
  if (problem.code === "unavailable" && !reply.hasHeader("retry-after")) {
    reply.header("retry-after", outageSeconds);
  }
  void reply
    .code(problem.status)
    .headers({ [headers.requestId]: request.id, [headers.minimumClient]: minimumClient })
    .type(problemMediaType)
    .send(problem);
}

function isHungUpOn({ code }: Problem, { raw }: FastifyRequest): boolean {
  return code === "unauthenticated" || (code === "timeout" && !raw.complete);
}

/** The problem for an answer that is about to be sent; also tells operators about it, so call it once. */
export function toProblem(error: unknown, request: FastifyRequest): Problem {
  const problem = toProblemError(error);
  request.server.problemReports.note(error, problem, request);
  return problem.toProblem(request.id);
}

/** Maps every error to one of the table. No stack, SQL or path gets through. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const failure = dependencyProblem(error);
  if (failure) return failure;
  if (error instanceof ShareRefused) {
    return new ProblemError("unavailable", "Too many requests are in progress.", {
      hint: "Try again in a few seconds.",
    });
  }
  const { code = "", statusCode } = error as Partial<FastifyError>;
  const translated = codesOfFastify[code];
  if (translated) return new ProblemError(...translated);
  if (code.startsWith("FST_") && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ProblemError("invalid_request", "The request is malformed.");
  }
  return new ProblemError("internal", "Something went wrong on our side.", {
    hint: "Report the request id; it identifies the request in the service log.",
    cause: error,
  });
}
