import { createHash } from "node:crypto";
import type { Command } from "@svc/command-router/catalog";
import { parseArguments } from "@svc/command-router/parse-arguments";
import type { CliRequest, ProgressAnswer, UploadAnswer } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import type { z } from "zod";
import type { Caller } from "../platform/caller.ts";
import type { CommandContext } from "../platform/command-context.ts";
import { readTexts } from "../platform/read-texts.ts";
import type { StagedFile } from "../platform/staged-file.ts";
import type { StagedFolder, Staging } from "../platform/staging.ts";
import { readerShare } from "../platform/text/reader-share.ts";
import type { TransferTickets } from "../platform/transfer-ticket.ts";
import type { Limits } from "./limits.ts";

interface UploadParts {
  staging: Staging;
  tickets: TransferTickets;
  limits: Limits;
}

type Progress = (progress: Omit<ProgressAnswer, "kind">) => void;

interface Typed {
  argv: readonly string[];
  workspace?: string | undefined;
}

/** Answers a call that names local files: where to send each, and a continuation to repeat the call with. */
export async function askForUploads(
  { staging, tickets, limits }: UploadParts,
  caller: Caller,
  command: Command<CommandContext>,
  args: Record<string, unknown>,
  typed: Typed,
): Promise<UploadAnswer> {
  // Nobody sends a gigabyte to be told of a wrong argument afterwards.
  parseArguments(command, args);
  const uploads = command.specs
    .filter((spec) => spec.localFile)
    .flatMap(({ name, acceptsFolder }) =>
      [args[name] ?? []].flat().map((path) => ({ argument: name, path: String(path), acceptsFolder })),
    )
    .map((upload) => ({ ...upload, id: staging.newId(), maxBytes: limits.uploadBytes }));
  const signed = await Promise.all(
    uploads.map(async ({ id, argument, path, maxBytes, acceptsFolder }) => ({
      argument,
      path,
      href: `/api/v1/uploads/${await tickets.signUpload(caller, { id, argument, path, maxBytes })}`,
      maxBytes,
      acceptsFolder,
    })),
  );
  const continuation = await tickets.signContinuation(caller, { argvDigest: digest(typed), uploads });
  return { kind: "upload", uploads: signed, continuation };
}

interface OpenedUploads {
  files: Map<string, StagedFile>;
  /** Once the call has ended. */
  close(): Promise<void>;
}

/** The files of a repeated call, by argument. The continuation is good for exactly the line that asked for it. */
export async function openUploads(
  { staging, tickets }: UploadParts,
  caller: Caller,
  command: Command<CommandContext>,
  typed: Typed & Pick<z.output<typeof CliRequest>, "folders" | "contents">,
  continuation: string,
  { signal, progress }: { signal: AbortSignal; progress: Progress },
): Promise<OpenedUploads> {
  const ticket = await tickets.openContinuation(caller, continuation);
  if (ticket.argvDigest !== digest(typed)) {
    throw new ProblemError("invalid_request", "This continuation belongs to another command line.");
  }
  const folders: StagedFolder[] = [];
  const close = async () => {
    await Promise.all(folders.map((folder) => folder.remove()));
  };
  try {
    const files = new Map<string, StagedFile>();
    for (const { id, argument, path } of ticket.uploads) {
      const spec = command.specs.find(({ name }) => name === argument);
      const isFolder = typed.folders?.includes(path) ?? false;
      if (isFolder && !spec?.acceptsFolder) {
        throw new ProblemError("usage", `\`${path}\` is a folder; this command takes a file.`);
      }
      if (isFolder) folders.push(await staging.openFolder(id, path, signal));
      const sent = typed.contents?.find((content) => content.path === path);
      const file = isFolder
        ? (folders.at(-1) as StagedFolder)
        : sent
          ? staging.hold(id, path, Buffer.from(sent.base64, "base64"))
          : await staging.open(id, path);
      files.set(argument, file);
      if (spec?.readsText) await readTexts(file, { signal, share: readerShare(caller) }, progress);
    }
    return { files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function digest({ argv, workspace }: Typed): string {
  return createHash("sha256")
    .update(JSON.stringify([argv, workspace ?? null]))
    .digest("base64url");
}
