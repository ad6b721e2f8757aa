import { once } from "node:events";
import { PassThrough } from "node:stream";
import { confirmLine } from "@svc/command-router/arguments/next-line";
import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import { briefHelp } from "@svc/command-router/help/brief-help";
import { helpText } from "@svc/command-router/help/help-text";
import { helpTree } from "@svc/command-router/help/help-tree";
import { skillText } from "@svc/command-router/help/skill-text";
import { withNext } from "@svc/command-router/next/next-call";
import { nextOfLine } from "@svc/command-router/next/next-of-line";
import { inForm } from "@svc/command-router/render-outcome";
import { requireFile } from "@svc/command-router/require-file";
import {
  type CliAnswer,
  CliRequest,
  ndjsonMediaType,
  type PageAnswer,
  type ProgressAnswer,
} from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { RequestContext } from "../../platform/commands/platform.ts";
import type { CommandCall } from "../../platform/commands/run-command.ts";
import { runnerOf } from "../../platform/identity/caller.ts";
import { requireCaller } from "../http/authentication.ts";
import { callSignal } from "../http/call-signal.ts";
import { OneAtATime } from "../http/one-at-a-time.ts";
import { parseBody } from "../http/parse-body.ts";
import { toProblem } from "../http/problem-answer.ts";
import { callHeaders, requestContext } from "../http/request-context.ts";
import { answerAllPages, type PagingParts } from "./answer-all-pages.ts";
import { admitCommand, answerCommand } from "./answer-command.ts";
import { answerCompletions, type CompletionParts, requireMarked } from "./complete.ts";
import { continueCall, type UploadParts } from "./continue-call.ts";
import { readerOf } from "./reader.ts";
import { nextPage, withWholeCursor } from "./short-cursors.ts";
import { typedCall } from "./typed-call.ts";
import { askForUploads } from "./upload-exchange.ts";

type CliParts = UploadParts & PagingParts & CompletionParts & { oneAtATime: OneAtATime };

/** POST /api/v1/cli: takes argv as typed, and returns an answer to print. */
export function registerCli(app: FastifyInstance, given: Omit<CliParts, "oneAtATime" | "closing">): void {
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  const parts = { ...given, oneAtATime: new OneAtATime(), closing: closing.signal };
  app.post("/api/v1/cli", async (request, reply) => {
    const asked = { request, reply, body: parseBody(CliRequest, request.body) };
    // Before anything else: a line that is being typed must never run.
    if (requireMarked(request, asked.body)) return answerCompletions(parts, request, reply, asked.body);
    if (!request.headers.accept?.includes(ndjsonMediaType)) return answer(parts, asked);
    return streamed(request, reply, (send) => answer(parts, { ...asked, ...send }));
  });
}

interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  body: z.output<typeof CliRequest>;
  /** Absent if the caller wants only the answer, without progress and pages. */
  progress?: Sending["progress"];
  sendPage?: Sending["sendPage"];
}

interface Sending {
  progress: (progress: Omit<ProgressAnswer, "kind">) => void;
  /** Resolves once there is room for another page. */
  sendPage: (page: PageAnswer) => Promise<void>;
}

async function answer(parts: CliParts, asked: Asked): Promise<CliAnswer> {
  const { request, reply, body, progress, sendPage } = asked;
  const parsed = readLine(parts, request, body.argv);
  if (parsed.kind === "help") {
    if (parsed.json || parsed.skill) {
      const tree = briefHelp(parsed.commands, parsed);
      return { kind: "help", tree, text: parsed.skill ? skillText(parsed.commands) : JSON.stringify(tree) };
    }
    const tree = helpTree(parsed.commands);
    const { view, isStyled } = readerOf(body);
    return { kind: "help", tree, ...inForm(helpText(tree, view), isStyled) };
  }
  const { command, arguments: args, notices } = parsed;
  if (body.saves) requireFile(command);
  const caller = requireCaller(request);
  const call = await withWholeCursor(parts, caller, typedCall(parsed, callHeaders(request), body.workspace));
  const context = () => requestContext(request, reply, parts.limits, command);
  const run = (more: Partial<RequestContext> = {}, how: Partial<CommandCall> = {}) =>
    answerCommand(
      parts,
      request,
      reply,
      { ...call, ...how },
      {
        want: body.want,
        ...readerOf(body),
        notices,
        // What is secret is not printed again.
        ...(command.specs.some(({ secret }) => secret)
          ? {}
          : { confirmLine: (token) => confirmLine(body.argv, token) }),
        nextPage: (cursor) =>
          nextPage(
            parts,
            {
              caller,
              call,
              argv: body.argv,
              isInteractive: body.terminal?.interactive === true,
              log: request.log as never,
            },
            cursor,
          ),
        context: { ...context(), progress, ...more },
      },
    );

  if (parsed.all) {
    if (!sendPage) throw needsStream();
    return answerAllPages(parts, { request, reply, body, sendPage }, call, notices);
  }
  if (body.continuation !== undefined) {
    return continueCall(parts, asked, body.continuation, {
      command,
      admit: (announced) => admitCommand(parts, request, call, context(), announced),
      run,
      repeat: () => run({}, { onlyRepeat: true }),
    });
  }
  if (command.specs.some((spec) => spec.localFile && Object.hasOwn(args, spec.name))) {
    const admitted = await admitCommand(parts, request, call, context());
    const watcher = {
      signal: callSignal(reply, parts.limits.storingMillis),
      progress: progress ?? (() => {}),
    };
    return askForUploads(parts, caller, command, args, body, admitted, watcher);
  }
  return run();
}

/** A line that the parser refuses says which was meant. */
function readLine({ catalog }: CliParts, request: FastifyRequest, argv: readonly string[]) {
  try {
    return parseArgv(catalog, argv);
  } catch (error) {
    const runner = runnerOf(requireCaller(request), callHeaders(request).inSession);
    throw withNext(error, (problem) => nextOfLine(problem, argv, { commands: catalog.commands, runner }));
  }
}

function needsStream(): ProblemError {
  return new ProblemError("usage", "--all is answered in pages.", {
    hint: `Send \`Accept: ${ndjsonMediaType}\`, or follow \`nextCursor\` without --all.`,
  });
}

/** An empty line shows a waiting client that the server is alive; svc gives up after 15 s of silence. */
const heartbeatMillis = 5_000;

/**
 * Progress and pages as they come, then the answer or the problem as the last line. The status 200 is already sent by
 * then.
 */
function streamed(request: FastifyRequest, reply: FastifyReply, work: (send: Sending) => Promise<CliAnswer>) {
  const lines = new PassThrough();
  const write = (line: unknown) => lines.write(`${JSON.stringify(line)}\n`);
  const heartbeat = setInterval(() => lines.write("\n"), heartbeatMillis);
  const sending: Sending = {
    progress: (progress) => void write({ kind: "progress", ...progress }),
    sendPage: async (page) => void (write(page) || (await once(lines, "drain"))),
  };
  void work(sending)
    .then(write, (error: unknown) => write({ kind: "problem", ...toProblem(error, request) }))
    .finally(() => {
      clearInterval(heartbeat);
      lines.end();
    });
  return reply.type(ndjsonMediaType).send(lines);
}
