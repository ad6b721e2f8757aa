import { createHash } from "node:crypto";
import type { Command } from "@svc/command-router/catalog";
import type { CheckedEntries } from "@svc/command-router/command";
import type { Database } from "@svc/database/database";
import type { CliRequest, UploadAnswer } from "@svc/protocol/exchange";
import { toRanges } from "@svc/protocol/manifest";
import { ProblemError } from "@svc/protocol/problem";
import type { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { AdmittedCall } from "../../platform/commands/run-command.ts";
import { type Caller, shareOf } from "../../platform/identity/caller.ts";
import type { SentManifest } from "../../platform/uploads/manifest.ts";
import { readTexts } from "../../platform/uploads/read-texts.ts";
import type { StagedCall } from "../../platform/uploads/staged-call.ts";
import type { StagedFile } from "../../platform/uploads/staged-file.ts";
import type { StagedTree } from "../../platform/uploads/staged-tree.ts";
import type { Staging } from "../../platform/uploads/staging.ts";
import type { ContinuationTicket, TransferTickets } from "../../platform/uploads/transfer-ticket.ts";
import type { Limits } from "../http/limits.ts";
import type { Commits, Watcher } from "./commits.ts";

interface UploadParts {
  database: Pick<Database, "clock">;
  staging: Staging;
  commits: Commits;
  tickets: TransferTickets;
  limits: Limits;
}

interface Typed {
  argv: readonly string[];
  workspace?: string | undefined;
  resume?: string | undefined;
}

type Repeated = Pick<z.output<typeof CliRequest>, "manifests" | "contents">;
type Wanted = Pick<UploadAnswer["uploads"][number], "wants" | "entries" | "begun"> & { upload: number };

/** Answers a call that names local files with where to send each, and a continuation to repeat the call with. */
export async function askForUploads(
  parts: UploadParts,
  caller: Caller,
  command: Command<CommandContext>,
  args: Record<string, unknown>,
  typed: Typed,
  { isPreview }: Pick<AdmittedCall, "isPreview">,
  watcher: Watcher,
): Promise<UploadAnswer> {
  const { database, staging, commits } = parts;
  await staging.requireRoom(caller);
  const files = command.specs.filter((spec) => spec.localFile);
  const uploads = files.flatMap(({ name }) =>
    [args[name] ?? []].flat().map((path) => ({ argument: name, path: String(path) })),
  );
  const now = (await database.clock())();
  // Only a manifest tells whether what is there belongs to the same files.
  const resume = files.every((spec) => spec.acceptsFolder) ? typed.resume : undefined;
  const staged = staging.newCall(caller, now, resume && `${resume} ${digest(typed)}`);
  // An interrupted run of the same line may be ending by itself.
  await commits.follow(staged, watcher);
  const { id, askedAt } = staged;
  const ticket = { call: { id, askedAt }, argvDigest: digest(typed), uploads };
  const wanted = uploads.map(
    ({ argument }, upload): Wanted => ({
      upload,
      wants: specOf(command, argument)?.acceptsFolder ? "manifest" : "file",
    }),
  );
  return uploadAnswer(parts, caller, command, ticket, wanted, isPreview);
}

/** The addresses of what is still wanted. */
export async function uploadAnswer(
  { tickets, limits: { uploadBytes: maxBytes } }: UploadParts,
  caller: Caller,
  command: Command<CommandContext>,
  ticket: ContinuationTicket,
  wanted: readonly Wanted[],
  isPreview: boolean,
): Promise<UploadAnswer> {
  const { call } = ticket;
  const uploads = await Promise.all(
    wanted.map(async ({ upload, ...wants }) => {
      const { argument, path } = ticket.uploads[upload] as ContinuationTicket["uploads"][number];
      const acceptsFolder = specOf(command, argument)?.acceptsFolder ?? false;
      const address = await tickets.signUpload(caller, {
        call,
        upload,
        path,
        maxBytes,
        command: command.path,
      });
      return {
        argument,
        path,
        href: `/api/v1/uploads/${address}`,
        maxBytes,
        acceptsFolder,
        // A preview of what is only described needs no bytes.
        goesWithLine: !(isPreview && acceptsFolder),
        ...wants,
      };
    }),
  );
  return { kind: "upload", uploads, continuation: await tickets.signContinuation(caller, ticket) };
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

/** A file of a repeated call. */
export interface Sent {
  argument: string;
  path: string;
  /** If it was announced. */
  tree?: StagedTree;
  manifest?: SentManifest;
}

/** What the call announced, by the numbers of its uploads. */
export async function openManifests(
  call: StagedCall,
  { uploads }: ContinuationTicket,
  { manifests = [] }: Repeated,
): Promise<Sent[]> {
  return Promise.all(
    uploads.map(async ({ argument, path }, upload) => {
      const id = manifests.find((sent) => sent.path === path)?.id;
      if (id === undefined) return { argument, path };
      const tree = call.tree(upload);
      return { argument, path, tree, manifest: await tree.manifest(id) };
    }),
  );
}

/** What has not arrived yet, and is not there already. Room is kept for it. */
export async function stillWanted(
  { limits }: Pick<UploadParts, "limits">,
  call: StagedCall,
  command: Command<CommandContext>,
  sent: readonly Sent[],
  { contents = [] }: Repeated,
  { checked, isPreview }: AdmittedCall,
): Promise<Wanted[]> {
  requireSizes(sent, limits.uploadBytes);
  const wanted = await Promise.all(
    sent.map(async ({ argument, path, tree, manifest }, upload): Promise<Wanted | undefined> => {
      if (tree && manifest) {
        const wants = await wantedOf(tree, manifest, checked.get(path) ?? unchecked, isPreview);
        return wants && { upload, ...wants };
      }
      if (contents.some((content) => content.path === path)) return undefined;
      if (await call.hasAny(upload)) return undefined;
      return { upload, wants: specOf(command, argument)?.acceptsFolder ? "manifest" : "file" };
    }),
  );
  return wanted.filter((each) => each !== undefined);
}

/**
 * A digest counts as unchanged only against the content in its own place, if the caller can read that:
 * anything else would tell people what others have stored.
 */
async function wantedOf(
  tree: StagedTree,
  manifest: SentManifest,
  { there, unwanted }: CheckedEntries,
  isPreview: boolean,
): Promise<Omit<Wanted, "upload"> | undefined> {
  const { entries } = manifest;
  const { complete, begun, claimed } = await tree.arrived(manifest);
  const undecided: number[] = [];
  const needed: number[] = [];
  let bytes = 0;
  for (const [place, { size }] of entries.entries()) {
    if (size === undefined || unwanted.has(place)) continue;
    const digest = claimed.get(place);
    if (!complete.has(place)) {
      if (digest === undefined && (isPreview || there.has(place))) undecided.push(place);
      // guard: needed-unless-digests-match
      if (isPreview || (digest !== undefined && digest === there.get(place))) continue;
      needed.push(place);
    }
    bytes += size;
  }
  if (undecided.length > 0) return { wants: "digests", entries: toRanges(undecided) };
  if (needed.length === 0) return undefined;
  await tree.expect(manifest, bytes);
  return {
    wants: "contents",
    entries: toRanges(needed),
    begun: [...begun].map(([entry, bytes]) => ({ entry, bytes })),
  };
}

const unchecked: CheckedEntries = { there: new Map(), unwanted: new Set() };

function requireSizes(sent: readonly Sent[], maxBytes: number): void {
  const larger = sent.flatMap(({ path, manifest }) =>
    (manifest?.entries ?? [])
      .filter(({ size = 0 }) => size > maxBytes)
      .map(({ names }) => [path, ...names].join("/")),
  );
  if (larger.length === 0) return;
  const names = larger.slice(0, mostNamed).map((name) => `\`${name}\``);
  const more = larger.length > names.length ? ` and ${larger.length - names.length} more` : "";
  throw new ProblemError(
    "too_large",
    `A file can have at most ${maxBytes} bytes. Larger: ${names.join(", ")}${more}.`,
  );
}

const mostNamed = 50;

/** The files of a repeated call, by path as typed, with their texts read if the command needs them. */
export async function openUploads(
  call: StagedCall,
  caller: Caller,
  command: Command<CommandContext>,
  sent: readonly Sent[],
  repeated: Repeated,
  { signal, progress }: Watcher,
): Promise<Map<string, StagedFile>> {
  const files = new Map<string, StagedFile>();
  for (const [upload, { argument, path, tree, manifest }] of sent.entries()) {
    const file = tree && manifest ? await tree.open(manifest, path) : await openDirect(upload, path);
    files.set(path, file);
    if (!specOf(command, argument)?.readsText) continue;
    await readTexts(file, { signal, share: shareOf(caller) }, progress);
  }
  return files;

  async function openDirect(upload: number, path: string): Promise<StagedFile> {
    const content = repeated.contents?.find((each) => each.path === path);
    if (content) return call.hold(upload, path, Buffer.from(content.base64, "base64"));
    const file = await call.open(upload, path);
    if (file) return file;
    throw new ProblemError("conflict", `\`${path}\` has not arrived.`, { hint: "Run the command again." });
  }
}

function specOf({ specs }: Command<CommandContext>, argument: string) {
  return specs.find(({ name }) => name === argument);
}

function digest({ argv, workspace }: Typed): string {
  return createHash("sha256")
    .update(JSON.stringify([argv, workspace ?? null]))
    .digest("base64url");
}
