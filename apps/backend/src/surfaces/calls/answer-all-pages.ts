import { AllPages } from "@svc/command-router/all-pages";
import { isAi } from "@svc/command-router/decide";
import { outcomeForPeople } from "@svc/command-router/outcome-for-people";
import type { CliRequest, PageAnswer, ResultAnswer } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { type CommandCall, runCommand } from "../../platform/commands/run-command.ts";
import type { Authenticate } from "../../platform/identity/authenticate.ts";
import { type Caller, runnerOf } from "../../platform/identity/caller.ts";
import { presentedBy, requireCaller } from "../http/authentication.ts";
import { callSignal, untilAborted } from "../http/call-signal.ts";
import { toProblemError } from "../http/problem-answer.ts";
import { waitForPage } from "../http/rate-limits.ts";
import { requestIds } from "../http/request-context.ts";
import type { CommandParts } from "./answer-command.ts";
import { readerOf } from "./reader.ts";

export type PagingParts = CommandParts & { authenticate: Authenticate; closing: AbortSignal };

interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  body: z.output<typeof CliRequest>;
  /** Resolves once the caller has room for another page. */
  sendPage: (page: PageAnswer) => Promise<void>;
}

/**
 * `--all`: the command again and again, each page in its own transaction, with the credential and the rights that the
 * caller has by then. It ends when the caller goes away, and keeps nothing but the cursor between two pages.
 */
export async function answerAllPages(
  parts: PagingParts,
  { request, reply, body, sendPage }: Asked,
  call: CommandCall,
  notices: readonly string[],
): Promise<ResultAnswer> {
  const { command } = call;
  request.commandPath = command.path;
  const gone = callSignal(reply, parts.limits.waitingMillis);
  const reader = readerOf(body);
  const { timeZone } = reader.view;
  const pages = new AllPages(command, {
    want: body.want,
    ...reader,
    isForAgent: isAi(runnerOf(requireCaller(request), call.inSession)),
    after: body.after,
  });
  const isForPeople = body.want === "text";
  let caller = requireCaller(request);
  for (;;) {
    const args = pages.arguments(Object(call.arguments));
    const outcome = await withinTime(gone, parts.limits.commandMillis, (signal) =>
      runCommand(
        parts,
        { ...call, arguments: args },
        { caller, ...requestIds(request), log: request.log as never, signal, isForPeople, timeZone },
      ),
    );
    parts.metrics.countCommand({ command: command.path, code: "done" });
    const page = pages.add((isForPeople ? outcomeForPeople(outcome) : outcome).data);
    await untilAborted(gone, sendPage(page));
    if (page.next === undefined) return pages.end(notices);
    // The caller continues with another process.
    if (parts.closing.aborted) throw interrupted("This process is shutting down.");
    await waitForPage(request, gone);
    caller = await currentCaller(parts, request);
  }
}

/** A credential that has expired meanwhile ends the stream, and the next request presents another or is refused. */
async function currentCaller({ authenticate }: PagingParts, request: FastifyRequest): Promise<Caller> {
  try {
    return await authenticate(presentedBy(request));
  } catch (error) {
    if (toProblemError(error).code !== "unauthenticated") throw error;
    throw interrupted("The credential must be presented again.");
  }
}

function interrupted(why: string): ProblemError {
  return new ProblemError("unavailable", why, { hint: "Try again now." });
}

async function withinTime<T>(
  gone: AbortSignal,
  millis: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new ProblemError("timeout", "The command timed out.")), millis);
  const signal = AbortSignal.any([gone, late.signal]);
  try {
    return await untilAborted(signal, work(signal));
  } finally {
    clearTimeout(timer);
  }
}
