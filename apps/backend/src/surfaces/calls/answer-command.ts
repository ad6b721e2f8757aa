import type { Command } from "@svc/command-router/catalog";
import type { Announced } from "@svc/command-router/command";
import { isAi } from "@svc/command-router/decide";
import { renderOutcome } from "@svc/command-router/render-outcome";
import type { FileAnswer, FolderAnswer, ResultAnswer } from "@svc/protocol/exchange";
import { headers } from "@svc/protocol/headers";
import type { View } from "@svc/rendering/view";
import type { FastifyReply, FastifyRequest } from "fastify";
import { pendingNotice } from "../../features/approvals/approvals.ts";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { FileResult } from "../../platform/commands/file-result.ts";
import type { Platform, RequestContext, Told } from "../../platform/commands/platform.ts";
import {
  type AdmittedCall,
  admitCall,
  type CommandCall,
  readAs,
  runCommand,
} from "../../platform/commands/run-command.ts";
import { runnerOf } from "../../platform/identity/caller.ts";
import type { Metrics } from "../../platform/process/metrics.ts";
import type { TransferTickets } from "../../platform/uploads/transfer-ticket.ts";
import { untilAborted } from "../http/call-signal.ts";
import type { Limits } from "../http/limits.ts";

export interface CommandParts extends Platform {
  metrics: Metrics;
  tickets: TransferTickets;
  limits: Limits;
}

/** Runs a command and puts its outcome into the envelope that every surface answers with. */
export async function answerCommand(
  parts: CommandParts,
  request: FastifyRequest,
  reply: FastifyReply,
  call: CommandCall,
  options: {
    want: "text" | "data";
    view?: View | undefined;
    isStyled?: boolean | undefined;
    notices?: readonly string[] | undefined;
    /** The line that continues a list, if a line was typed. */
    nextPage?: ((cursor: string) => Promise<{ line: string; notices: string[] }>) | undefined;
    confirmLine?: ((token: string) => string) | undefined;
    /** The answer has its own contract, without labels of untrusted text. */
    hasContract?: boolean;
    context: RequestContext;
  },
): Promise<ResultAnswer | FileAnswer | FolderAnswer> {
  const { command } = call;
  request.commandPath = command.path;
  const { timeZone } = options.view ?? {};
  const told: Told = {};
  const context = { ...options.context, isForPeople: options.want === "text", timeZone, told };
  const outcome = await untilAborted(context.signal, runCommand(parts, call, context));
  parts.metrics.countCommand({
    command: command.path,
    code: outcome.preview ? "previewed" : outcome.replayed ? "replayed" : "done",
  });
  if (outcome.replayed && !reply.sent) reply.header(headers.idempotencyReplayed, "true");
  if (isFile(command) && !outcome.preview) {
    return await fileAnswer(parts, options.context, command, outcome.data);
  }
  const { nextCursor } = Object(outcome.data) as { nextCursor?: string };
  const mayDecide = context.caller.actor.kind === "human" && !call.inSession;
  const waiting =
    told.approvalsWait && mayDecide
      ? await readAs(parts, call, context, pendingNotice).catch((error: unknown) => {
          // The command is done, whatever becomes of the notice.
          context.log.warn({ err: error }, "pending approvals could not be counted");
          return [];
        })
      : [];
  const known = [...(options.notices ?? []), ...waiting];
  const isByContract = options.hasContract && !outcome.preview;
  const isForAgent = !isByContract && isAi(runnerOf(context.caller, call.inSession));
  const rendering = { ...options, isForAgent };
  if (options.want === "data" || nextCursor === undefined) {
    return renderOutcome(command, outcome, { ...rendering, notices: known });
  }
  const next = await options.nextPage?.(nextCursor);
  const notices = [...known, ...(next?.notices ?? [])];
  return renderOutcome(command, outcome, { ...rendering, nextLine: next?.line, notices });
}

/** Before its files are requested or opened: checks whether it can run. */
export function admitCommand(
  parts: CommandParts,
  request: FastifyRequest,
  call: CommandCall,
  context: RequestContext,
  announced?: ReadonlyMap<string, Announced>,
): Promise<AdmittedCall> {
  request.commandPath = call.command.path;
  return untilAborted(context.signal, admitCall(parts, call, context, announced));
}

function isFile(command: Command<CommandContext>): boolean {
  return command.presentation.as === "file";
}

async function fileAnswer(
  { tickets }: CommandParts,
  { caller }: RequestContext,
  { path: command }: Command<CommandContext>,
  data: unknown,
): Promise<FileAnswer | FolderAnswer> {
  const result = FileResult.parse(data);
  if ("files" in result) {
    const ticket = await tickets.signFolder(caller, { command, id: result.id });
    return { kind: "folder", ...result, href: `/api/v1/downloads/${ticket}` };
  }
  const ticket = await tickets.signDownload(caller, { command, ...result });
  const { id: _id, version: _version, ...announced } = result;
  return { kind: "file", ...announced, href: `/api/v1/downloads/${ticket}` };
}
