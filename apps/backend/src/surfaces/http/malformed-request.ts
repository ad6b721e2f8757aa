import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { headers } from "@svc/protocol/headers";
import { ProblemError, problemMediaType } from "@svc/protocol/problem";
import { minimumClient } from "../../platform/process/version.ts";

const codes: Record<string, ConstructorParameters<typeof ProblemError>> = {
  HPE_HEADER_OVERFLOW: ["too_large", "The request headers are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: ["timeout", "The request did not arrive in time."],
};

/**
 * Bytes that are not HTTP, or never become a complete request, do not reach a route. They get the same kind of answer,
 * written by hand.
 */
export function answerMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writable && error.code !== "ECONNRESET") {
    const requestId = randomUUID();
    const problem = new ProblemError(
      ...(codes[error.code ?? ""] ?? (["invalid_request", "The request is not valid HTTP/1.1."] as const)),
    ).toProblem(requestId);
    const body = JSON.stringify(problem);
    socket.write(
      [
        `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
        `content-type: ${problemMediaType}`,
        `content-length: ${Buffer.byteLength(body)}`,
        `${headers.requestId}: ${requestId}`,
        `${headers.minimumClient}: ${minimumClient}`,
        "connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  }
  socket.destroySoon();
}
