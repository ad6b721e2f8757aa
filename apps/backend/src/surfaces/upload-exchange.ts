import { createHash } from "node:crypto";
import type { Command } from "@svc/command-router/catalog";
import { parseArguments } from "@svc/command-router/parse-arguments";
import type { UploadAnswer } from "@svc/protocol/exchange";
import { ProblemError } from "@svc/protocol/problem";
import type { Caller } from "../platform/caller.ts";
import type { CommandContext } from "../platform/command-context.ts";
import type { StagedFile, Staging } from "../platform/staging.ts";
import type { TransferTickets } from "../platform/transfer-ticket.ts";
import type { Limits } from "./limits.ts";

interface UploadParts {
  staging: Staging;
  tickets: TransferTickets;
  limits: Limits;
}

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
    .flatMap((spec) =>
      [args[spec.name] ?? []].flat().map((path) => ({ argument: spec.name, path: String(path) })),
    )
    .map((upload) => ({ ...upload, id: staging.newId(), maxBytes: limits.uploadBytes }));
  const signed = await Promise.all(
    uploads.map(async ({ id, argument, path, maxBytes }) => ({
      argument,
      path,
      href: `/api/v1/uploads/${await tickets.signUpload(caller, { id, argument, path, maxBytes })}`,
      maxBytes,
    })),
  );
  const continuation = await tickets.signContinuation(caller, { argvDigest: digest(typed), uploads });
  return { kind: "upload", uploads: signed, continuation };
}

/** The files of a repeated call, by argument. The continuation is good for exactly the line that asked for it. */
export async function openUploads(
  { staging, tickets }: UploadParts,
  caller: Caller,
  typed: Typed,
  continuation: string,
): Promise<Map<string, StagedFile>> {
  const ticket = await tickets.openContinuation(caller, continuation);
  if (ticket.argvDigest !== digest(typed)) {
    throw new ProblemError("invalid_request", "This continuation belongs to another command line.");
  }
  const files = await Promise.all(
    ticket.uploads.map(async ({ id, argument, path }) => [argument, await staging.open(id, path)] as const),
  );
  return new Map(files);
}

function digest({ argv, workspace }: Typed): string {
  return createHash("sha256")
    .update(JSON.stringify([argv, workspace ?? null]))
    .digest("base64url");
}
