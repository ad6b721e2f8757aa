import { PassThrough } from "node:stream";
import { helpText } from "@svc/command-router/help-text";
import { helpTree } from "@svc/command-router/help-tree";
import { parseArgv } from "@svc/command-router/parse-argv";
import { type CliAnswer, CliRequest, ndjsonMediaType, type ProgressAnswer } from "@svc/protocol/exchange";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Staging } from "../platform/staging.ts";
import { answerCommand, type CommandParts } from "./answer-command.ts";
import { requireCaller } from "./authentication.ts";
import { callSignal } from "./call-signal.ts";
import { toProblem } from "./problem-answer.ts";
import { callHeaders, parseBody, requestContext } from "./request-context.ts";
import { askForUploads, openUploads } from "./upload-exchange.ts";

type CliParts = CommandParts & { staging: Staging };

/** POST /api/v1/cli: argv as typed goes in, an answer to print comes out. */
export function registerCli(app: FastifyInstance, parts: CliParts): void {
  app.post("/api/v1/cli", async (request, reply) => {
    const body = parseBody(CliRequest, request.body);
    if (!request.headers.accept?.includes(ndjsonMediaType)) return answer(parts, request, reply, body);
    return streamed(request, reply, (progress) => answer(parts, request, reply, body, progress));
  });
}

async function answer(
  parts: CliParts,
  request: FastifyRequest,
  reply: FastifyReply,
  body: z.output<typeof CliRequest>,
  progress?: (progress: Omit<ProgressAnswer, "kind">) => void,
): Promise<CliAnswer> {
  const parsed = parseArgv(parts.catalog, body.argv);
  if (parsed.kind === "help") {
    const tree = helpTree(parsed.commands);
    return { kind: "help", tree, text: parsed.json ? JSON.stringify(tree, null, 2) : helpText(tree) };
  }
  const { command, arguments: args, dryRun, confirm, notices } = parsed;
  const { ambientWorkspace, ...sent } = callHeaders(request);
  const workspace = parsed.workspace ?? ambientWorkspace ?? body.workspace;
  const paths = command.specs.filter((spec) => spec.localFile && Object.hasOwn(args, spec.name));
  if (paths.length > 0 && body.continuation === undefined) {
    return askForUploads(parts, requireCaller(request), command, args, body);
  }
  // What was sent is unpacked and read before the command's own time begins.
  const uploads =
    body.continuation === undefined
      ? undefined
      : await openUploads(parts, requireCaller(request), command, body, body.continuation, {
          signal: callSignal(reply, parts.limits.readingMillis),
          progress: progress ?? (() => {}),
        });
  try {
    return await answerCommand(
      parts,
      request,
      reply,
      {
        command,
        arguments: args,
        dryRun,
        ...sent,
        ...(confirm === undefined ? {} : { confirm }),
        ...(workspace === undefined ? {} : { workspace }),
      },
      {
        want: body.want,
        ...(body.terminal?.columns === undefined ? {} : { terminalColumns: body.terminal.columns }),
        notices,
        context: {
          ...requestContext(request, reply, parts.limits, command),
          ...(progress ? { progress } : {}),
          ...(uploads ? { uploads: uploads.files } : {}),
        },
      },
    );
  } finally {
    await uploads?.close();
  }
}

/** An empty line tells a client that waits from one whose server is gone; svc gives up after 15 s of silence. */
const heartbeatMillis = 5_000;

/** Progress lines as they come, then the answer or the problem as the last line. The status has left by then: 200. */
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
