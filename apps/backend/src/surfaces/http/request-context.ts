import type { Command } from "@svc/command-router/catalog";
import { headers } from "@svc/protocol/headers";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { RequestContext } from "../../platform/commands/platform.ts";
import { requireCaller } from "./authentication.ts";
import { callSignal } from "./call-signal.ts";
import type { Limits } from "./limits.ts";
import { singleHeader } from "./single-header.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the caller calls it; nothing depends on it. */
    callerRequestId?: string;
  }
}

/** What a request is called, by us and by its caller. */
export function requestIds({ id, callerRequestId }: Pick<FastifyRequest, "id" | "callerRequestId">) {
  return { requestId: id, ...(callerRequestId !== undefined && { callerRequestId }) };
}

/** What dispatch needs to know about a request, from any surface. */
export function requestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  { commandMillis, waitingMillis }: Limits,
  command: Pick<Command<CommandContext>, "isPatient">,
): RequestContext {
  return {
    caller: requireCaller(request),
    ...requestIds(request),
    log: request.log as never,
    signal: callSignal(reply, command.isPatient ? waitingMillis : commandMillis),
  };
}

/** The headers of a call, the same on every surface. */
export function callHeaders(request: FastifyRequest) {
  const key = singleHeader(request, headers.idempotencyKey);
  if (key !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key)) {
    throw new ProblemError("invalid_request", "Idempotency-Key must be a UUID.");
  }
  const ambientWorkspace = singleHeader(request, headers.ambientWorkspace);
  return {
    idempotencyKey: key?.toLowerCase(),
    ambientWorkspace,
    inSession: singleHeader(request, headers.sessionTicket) !== undefined,
  };
}
