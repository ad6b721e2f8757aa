import { createHash } from "node:crypto";
import type { Command } from "@svc/command-router/catalog";
import type { Database } from "@svc/database/database";
import type { CliRequest, ProgressAnswer, UploadAnswer } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import type { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { type Caller, shareOf } from "../../platform/identity/caller.ts";
import { readTexts } from "../../platform/uploads/read-texts.ts";
import type { StagedCall } from "../../platform/uploads/staged-call.ts";
import type { StagedFile } from "../../platform/uploads/staged-file.ts";
import type { Staging } from "../../platform/uploads/staging.ts";
import type { ContinuationTicket, TransferTickets } from "../../platform/uploads/transfer-ticket.ts";
import type { Limits } from "../http/limits.ts";

interface UploadParts {
  database: Pick<Database, "clock">;
  staging: Staging;
  tickets: TransferTickets;
  limits: Limits;
}

interface Typed {
  argv: readonly string[];
  workspace?: string | undefined;
}

type Repeated = Typed & Pick<z.output<typeof CliRequest>, "folders" | "contents">;

/** Answers a call that names local files with where to send each, and a continuation to repeat the call with. */
export async function askForUploads(
  { database, staging, tickets, limits }: UploadParts,
  caller: Caller,
  command: Command<CommandContext>,
  args: Record<string, unknown>,
  typed: Typed,
): Promise<UploadAnswer> {
  await staging.requireRoom(caller);
  const { id, askedAt } = staging.newCall(caller, (await database.clock())());
  const call = { id, askedAt };
  const maxBytes = limits.uploadBytes;
  const wanted = command.specs
    .filter((spec) => spec.localFile)
    .flatMap(({ name, acceptsFolder }) =>
      [args[name] ?? []].flat().map((path) => ({ argument: name, path: String(path), acceptsFolder })),
    );
  const uploads = await Promise.all(
    wanted.map(async ({ argument, path, acceptsFolder }, upload) => {
      const ticket = await tickets.signUpload(caller, {
        call,
        upload,
        path,
        maxBytes,
        command: command.path,
      });
      return { argument, path, href: `/api/v1/uploads/${ticket}`, maxBytes, acceptsFolder };
    }),
  );
  const continuation = await tickets.signContinuation(caller, {
    call,
    argvDigest: digest(typed),
    uploads: wanted.map(({ argument, path }) => ({ argument, path })),
  });
  return { kind: "upload", uploads, continuation };
}

/** The files that a repeated call can use. The continuation is valid only for the line that requested it. */
export async function openContinuation(
  { tickets }: UploadParts,
  caller: Caller,
  typed: Typed,
  continuation: string,
): Promise<ContinuationTicket> {
  const ticket = await tickets.openContinuation(caller, continuation);
  if (ticket.argvDigest === digest(typed)) return ticket;
  throw new ProblemError("invalid_request", "This continuation belongs to another command line.");
}

/** The files of a repeated call, by argument: unpacked, with their texts read if the command needs them. */
export async function openUploads(
  call: StagedCall,
  caller: Caller,
  command: Command<CommandContext>,
  { uploads }: ContinuationTicket,
  repeated: Repeated,
  { signal, progress }: { signal: AbortSignal; progress: (progress: Omit<ProgressAnswer, "kind">) => void },
): Promise<Map<string, StagedFile>> {
  const files = new Map<string, StagedFile>();
  for (const [upload, { argument, path }] of uploads.entries()) {
    const spec = command.specs.find(({ name }) => name === argument);
    const file = await openUpload(upload, path, spec?.acceptsFolder ?? false);
    files.set(argument, file);
    if (spec?.readsText) await readTexts(file, { signal, share: shareOf(caller) }, progress);
  }
  return files;

  async function openUpload(upload: number, path: string, acceptsFolder: boolean): Promise<StagedFile> {
    if (repeated.folders?.includes(path)) {
      if (acceptsFolder) return call.openFolder(upload, path, signal);
      throw new ProblemError("usage", `\`${path}\` is a folder; this command takes a file.`);
    }
    const sent = repeated.contents?.find((content) => content.path === path);
    return sent ? call.hold(upload, path, Buffer.from(sent.base64, "base64")) : call.open(upload, path);
  }
}

function digest({ argv, workspace }: Typed): string {
  return createHash("sha256")
    .update(JSON.stringify([argv, workspace ?? null]))
    .digest("base64url");
}
