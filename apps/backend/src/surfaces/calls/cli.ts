import { PassThrough } from "node:stream";
import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import type { Command } from "@svc/command-router/catalog";
import type { Announced } from "@svc/command-router/command";
import { helpText } from "@svc/command-router/help/help-text";
import { helpTree } from "@svc/command-router/help/help-tree";
import { type CliAnswer, CliRequest, ndjsonMediaType, type ProgressAnswer } from "@svc/protocol/exchange";
import { pieceBytes } from "@svc/protocol/manifest";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { RequestContext } from "../../platform/commands/platform.ts";
import type { AdmittedCall, CommandCall } from "../../platform/commands/run-command.ts";
import { shareOf } from "../../platform/identity/caller.ts";
import type { StagedCall } from "../../platform/uploads/staged-call.ts";
import type { StagedFile } from "../../platform/uploads/staged-file.ts";
import type { Staging } from "../../platform/uploads/staging.ts";
import { requireCaller } from "../http/authentication.ts";
import { callSignal } from "../http/call-signal.ts";
import { OneAtATime } from "../http/one-at-a-time.ts";
import { toProblem, toProblemError } from "../http/problem-answer.ts";
import { callHeaders, parseBody, requestContext } from "../http/request-context.ts";
import type { UploadShares } from "../transfers/upload-shares.ts";
import { admitCommand, answerCommand, type CommandParts } from "./answer-command.ts";
import {
  askForUploads,
  openContinuation,
  openManifests,
  openUploads,
  stillWanted,
  uploadAnswer,
} from "./upload-exchange.ts";

type GivenParts = CommandParts & { staging: Staging; uploadShares: UploadShares };
type CliParts = GivenParts & { oneAtATime: OneAtATime };

/** POST /api/v1/cli: takes argv as typed, and returns an answer to print. */
export function registerCli(app: FastifyInstance, given: GivenParts): void {
  const parts = { ...given, oneAtATime: new OneAtATime() };
  app.post("/api/v1/cli", async (request, reply) => {
    const asked = { request, reply, body: parseBody(CliRequest, request.body) };
    if (!request.headers.accept?.includes(ndjsonMediaType)) return answer(parts, asked);
    return streamed(request, reply, (progress) => answer(parts, { ...asked, progress }));
  });
}

interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  body: z.output<typeof CliRequest>;
  /** Absent if the caller wants only the answer, without progress. */
  progress?: (progress: Omit<ProgressAnswer, "kind">) => void;
}

async function answer(parts: CliParts, asked: Asked): Promise<CliAnswer> {
  const { request, reply, body, progress } = asked;
  const parsed = parseArgv(parts.catalog, body.argv);
  if (parsed.kind === "help") {
    const tree = helpTree(parsed.commands);
    return { kind: "help", tree, text: parsed.json ? JSON.stringify(tree, null, 2) : helpText(tree) };
  }
  const { command, arguments: args, dryRun, confirm, notices } = parsed;
  const { ambientWorkspace, ...sent } = callHeaders(request);
  const workspace = parsed.workspace ?? ambientWorkspace ?? body.workspace;
  const call: CommandCall = {
    command,
    arguments: args,
    dryRun,
    ...sent,
    confirm,
    workspace,
  };
  const context = () => requestContext(request, reply, parts.limits, command);
  const run = (more: Partial<CommandCall> = {}, uploads?: ReadonlyMap<string, StagedFile>) =>
    answerCommand(
      parts,
      request,
      reply,
      { ...call, ...more },
      {
        want: body.want,
        terminalColumns: body.terminal?.columns,
        notices,
        context: {
          ...context(),
          ...(uploads ? storing(parts.limits, reply, uploads) : {}),
          progress,
          uploads,
        },
      },
    );

  if (body.continuation !== undefined) {
    return useContinuation(parts, asked, body.continuation, {
      command,
      admit: (announced) => admitCommand(parts, request, call, context(), announced),
      run: (uploads) => run({}, uploads),
      repeat: () => run({ onlyRepeat: true }),
    });
  }
  if (command.specs.some((spec) => spec.localFile && Object.hasOwn(args, spec.name))) {
    const admitted = await admitCommand(parts, request, call, context());
    return askForUploads(parts, requireCaller(request), command, args, body, admitted);
  }
  return run();
}

/** A tree, or a large file, takes its time. */
function storing(
  { storingMillis }: CliParts["limits"],
  reply: FastifyReply,
  uploads: ReadonlyMap<string, StagedFile>,
): Partial<RequestContext> {
  const isLarge = [...uploads.values()].some(({ entries, size }) => entries || size > pieceBytes);
  return isLarge ? { signal: callSignal(reply, storingMillis), limitMillis: storingMillis } : {};
}

/** What comes without a manifest. */
const oneFile: Announced = { isFolder: false, entries: [{ names: [] }] };

interface CallWithFiles {
  command: Command<CommandContext>;
  admit(announced: ReadonlyMap<string, Announced>): Promise<AdmittedCall>;
  run(uploads: ReadonlyMap<string, StagedFile>): Promise<CliAnswer>;
  /** From the stored answer, or not at all. */
  repeat(): Promise<CliAnswer>;
}

/** A caller who disconnects may come back for the answer, but not forever: each time, its files are read again. */
const mostAborts = 5;

/** The call that files were sent for. They are deleted when it has ended, however it ends. */
async function useContinuation(
  parts: CliParts,
  { request, reply, body, progress = () => {} }: Asked,
  continuation: string,
  { command, admit, run, repeat }: CallWithFiles,
): Promise<CliAnswer> {
  const caller = requireCaller(request);
  const ticket = await openContinuation(parts, caller, body, continuation);
  const staged = parts.staging.call(caller, ticket.call);
  const waiting = callSignal(reply, parts.limits.readingMillis);
  return parts.oneAtATime.run(staged.id, waiting, async () => {
    try {
      const isUsed = await staged.isUsed();
      const sent = isUsed ? [] : await openManifests(staged, ticket, body);
      const announced = sent.map(({ argument, manifest }) => [argument, manifest ?? oneFile] as const);
      const admitted = await admit(new Map(announced));
      if (isUsed || admitted.isAnswered) return await ended(staged, repeat());
      if ((await staged.aborts()) >= mostAborts) {
        throw new ProblemError("conflict", `This call was aborted ${mostAborts} times.`, {
          hint: "Run the command again.",
        });
      }
      const wanted = await stillWanted(parts, staged, command, sent, body, admitted);
      if (wanted.length > 0) {
        return await uploadAnswer(parts, caller, command, ticket, wanted, admitted.isPreview);
      }
      const signal = callSignal(reply, parts.limits.readingMillis);
      const files = await parts.uploadShares.reading.run(
        shareOf(caller),
        () => openUploads(staged, caller, command, sent, body, { signal, progress }),
        { signal },
      );
      return await ended(staged, run(files));
    } catch (error) {
      if (isGone(reply) || mayPass(error)) await staged.abort();
      else await staged.finish();
      throw error;
    }
  });
}

async function ended(staged: StagedCall, work: Promise<CliAnswer>): Promise<CliAnswer> {
  const answer = await work;
  await staged.finish();
  return answer;
}

function isGone({ raw }: FastifyReply): boolean {
  return raw.destroyed && !raw.writableFinished;
}

/** Clients retry these with the same continuation. */
function mayPass(error: unknown): boolean {
  const { code } = toProblemError(error);
  return code === "unavailable" || code === "too_many_requests";
}

/** An empty line shows a waiting client that the server is alive; svc gives up after 15 s of silence. */
const heartbeatMillis = 5_000;

/** Progress lines as they come, then the answer or the problem as the last line. The status 200 is already sent by then. */
function streamed(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (progress: (progress: Omit<ProgressAnswer, "kind">) => void) => Promise<CliAnswer>,
) {
  const lines = new PassThrough();
  const write = (line: unknown) => lines.write(`${JSON.stringify(line)}\n`);
  const heartbeat = setInterval(() => lines.write("\n"), heartbeatMillis);
  void work((progress) => write({ kind: "progress", ...progress }))
    .then(write, (error: unknown) => write({ kind: "problem", ...toProblem(error, request) }))
    .finally(() => {
      clearInterval(heartbeat);
      lines.end();
    });
  return reply.type(ndjsonMediaType).send(lines);
}
