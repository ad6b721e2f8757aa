import type { Command } from "@svc/command-router/catalog";
import type { Announced } from "@svc/command-router/command";
import type { CliAnswer, CliRequest } from "@svc/protocol/exchange";
import { pieceBytes } from "@svc/protocol/manifest";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { RequestContext } from "../../platform/commands/platform.ts";
import type { AdmittedCall } from "../../platform/commands/run-command.ts";
import { type Caller, shareOf } from "../../platform/identity/caller.ts";
import type { StagedCall } from "../../platform/uploads/staged-call.ts";
import type { StagedFile } from "../../platform/uploads/staged-file.ts";
import type { Staging } from "../../platform/uploads/staging.ts";
import { requireCaller } from "../http/authentication.ts";
import { callSignal } from "../http/call-signal.ts";
import type { OneAtATime } from "../http/one-at-a-time.ts";
import { callHeaders, requestIds } from "../http/request-context.ts";
import type { UploadShares } from "../transfers/upload-shares.ts";
import type { CommandParts } from "./answer-command.ts";
import { type Commits, mayPass, type StoredCommit, type Watcher } from "./commits.ts";
import {
  openContinuation,
  openManifests,
  openUploads,
  type Sent,
  stillWanted,
  uploadAnswer,
} from "./upload-exchange.ts";

export type UploadParts = CommandParts & { staging: Staging; uploadShares: UploadShares; commits: Commits };
type ContinuedParts = UploadParts & { oneAtATime: OneAtATime };

interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  body: z.output<typeof CliRequest>;
  progress?: Watcher["progress"];
}

export interface CallWithFiles {
  command: Command<CommandContext>;
  admit(announced: ReadonlyMap<string, Announced>): Promise<AdmittedCall>;
  run(context: Partial<RequestContext>): Promise<CliAnswer>;
  /** From the stored answer, or not at all. */
  repeat(): Promise<CliAnswer>;
}

/** A caller who disconnects may come back for the answer, but not forever: each time, its files are read again. */
const mostAborts = 5;

/** The call that files were sent for. They are deleted when it has ended, however it ends. */
export async function continueCall(
  parts: ContinuedParts,
  { request, reply, body, progress = () => {} }: Asked,
  continuation: string,
  { command, admit, run, repeat }: CallWithFiles,
): Promise<CliAnswer> {
  const caller = requireCaller(request);
  const ticket = await openContinuation(parts, caller, body, continuation);
  const staged = parts.staging.call(caller, ticket.call);
  const watcher = { signal: callSignal(reply, parts.limits.storingMillis), progress };
  return parts.oneAtATime.run(staged.id, watcher.signal, async () => {
    await parts.commits.follow(staged, watcher);
    const settle = <T>(work: () => Promise<T>) => keepOrFinish(staged, reply, work);
    const next = await settle(async () => {
      const isUsed = await staged.isUsed();
      const sent = isUsed ? [] : await openManifests(staged, ticket, body);
      const admitted = await admit(announcedBy(sent));
      if (isUsed || admitted.isAnswered) return ended(staged, repeat());
      await requireFewAborts(staged);
      const wanted = await stillWanted(parts, staged, command, sent, body, admitted);
      if (wanted.length > 0) {
        return uploadAnswer(parts, caller, command, ticket, wanted, admitted.isPreview);
      }
      return { sent, isPreview: admitted.isPreview };
    });
    if (!("sent" in next)) return next;
    const { sent, isPreview } = next;
    const read = (by: Watcher) => readUploads(parts, { staged, caller, command, sent, repeated: body }, by);
    const millis = parts.limits.storingMillis;
    if (!isLarge(sent)) {
      const reading = { signal: callSignal(reply, parts.limits.readingMillis), progress };
      return settle(async () => ended(staged, run({ uploads: await read(reading) })));
    }
    const runLong = async (by: Watcher) => {
      const uploads = await read(by);
      const long = { ...by, limitMillis: millis, uploads };
      return parts.uploadShares.storing.run(shareOf(caller), () => run(long), by);
    };
    if (isPreview) return settle(() => ended(staged, runLong(watcher)));
    const commit: StoredCommit = {
      caller,
      ticket,
      repeated: {
        argv: body.argv,
        workspace: body.workspace,
        manifests: body.manifests,
        contents: body.contents,
      },
      headers: callHeaders(request),
      ...requestIds(request),
    };
    return parts.commits.run(staged, { commit, millis, watcher }, runLong);
  });
}

/** What comes without a manifest. */
const oneFile: Announced = { isFolder: false, entries: [{ names: [] }] };

export function announcedBy(sent: readonly Sent[]): Map<string, Announced> {
  return new Map(sent.map(({ path, manifest }) => [path, manifest ?? oneFile]));
}

interface Opening {
  staged: StagedCall;
  caller: Caller;
  command: Command<CommandContext>;
  sent: readonly Sent[];
  repeated: StoredCommit["repeated"];
}

/** The files, with their texts read. */
export function readUploads(
  { uploadShares }: Pick<UploadParts, "uploadShares">,
  { staged, caller, command, sent, repeated }: Opening,
  watcher: Watcher,
): Promise<Map<string, StagedFile>> {
  const open = () => openUploads(staged, caller, command, sent, repeated, watcher);
  return uploadShares.reading.run(shareOf(caller), open, watcher);
}

const largeEntries = 200;

/** It may take longer than a command, and somebody may close their computer meanwhile. */
function isLarge(sent: readonly Sent[]): boolean {
  return sent.some(({ manifest }) => {
    const entries = manifest?.entries ?? [];
    return entries.length > largeEntries || entries.reduce((sum, { size = 0 }) => sum + size, 0) > pieceBytes;
  });
}

async function requireFewAborts(staged: StagedCall): Promise<void> {
  if ((await staged.aborts()) < mostAborts) return;
  throw new ProblemError("conflict", `This call was aborted ${mostAborts} times.`, {
    hint: "Run the command again.",
  });
}

async function keepOrFinish<T>(staged: StagedCall, reply: FastifyReply, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isGone(reply) || mayPass(error)) await staged.abort();
    else await staged.finish();
    throw error;
  }
}

async function ended(staged: StagedCall, work: Promise<CliAnswer>): Promise<CliAnswer> {
  // guard: staged-until-answered
  const answer = await work;
  await staged.finish();
  return answer;
}

function isGone({ raw }: FastifyReply): boolean {
  return raw.destroyed && !raw.writableFinished;
}
