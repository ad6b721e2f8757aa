import { Readable } from "node:stream";
import type { FileVersion } from "@svc/command-router/command";
import type { TenantTransaction } from "@svc/database/database";
import { PackRequest, PageRequest, WantedFile } from "@svc/protocol/exchange";
import { headers } from "@svc/protocol/headers";
import { packBytes, packedFileBytes } from "@svc/protocol/pack";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findBlob, findBlobs } from "../../platform/blobs/blobs.ts";
import type { Platform, RequestContext } from "../../platform/commands/platform.ts";
import { type CommandCall, listDownload, readDownload } from "../../platform/commands/run-command.ts";
import { counted } from "../../platform/process/collect-blocks.ts";
import type { TransferTickets } from "../../platform/uploads/transfer-ticket.ts";
import { requireCaller } from "../http/authentication.ts";
import type { Limits } from "../http/limits.ts";
import { parseBody } from "../http/parse-body.ts";
import { callHeaders, requestContext } from "../http/request-context.ts";
import { parseRange } from "./byte-range.ts";
import { packContents, packLength } from "./pack-contents.ts";

interface DownloadParts extends Platform {
  limits: Limits;
  tickets: TransferTickets;
}

type TicketRequest = FastifyRequest<{ Params: { ticket: string } }>;
type FileOfFolderRequest = FastifyRequest<{
  Params: { ticket: string; id: string; version: string; sha256: string };
}>;

const hour = 60 * 60 * 1_000;

/**
 * One file, a page of the list of a folder, one of its files, or a pack of its small files. Single files are plain HTTP
 * with ranges, so that they can be resumed; a pack that was cut is asked for again without the files that arrived.
 */
export function registerDownloads(app: FastifyInstance, parts: DownloadParts): void {
  const patient = { handlerTimeout: 12 * hour };
  app.route({
    method: ["GET", "HEAD"],
    url: "/api/v1/downloads/:ticket",
    ...patient,
    handler: async (request: TicketRequest, reply) => sendFile(parts, request, reply),
  });
  app.route({
    method: ["GET", "HEAD"],
    url: "/api/v1/downloads/:ticket/:id/:version/:sha256",
    ...patient,
    handler: async (request: FileOfFolderRequest, reply) => sendFileOfFolder(parts, request, reply),
  });
  app.post("/api/v1/downloads/:ticket", patient, async (request: TicketRequest, reply) =>
    sendPack(parts, request, reply),
  );
  app.post("/api/v1/downloads/:ticket/list", async (request: TicketRequest, reply) =>
    sendPage(parts, request, reply),
  );
}

async function sendFile(parts: DownloadParts, request: TicketRequest, reply: FastifyReply) {
  const ticket = await parts.tickets.openDownload(requireCaller(request), request.params.ticket);
  const { key } = await findContent(parts, request, reply, ticket.command, ticket);
  return sendContent(parts, request, reply, { ...ticket, key });
}

async function sendFileOfFolder(parts: DownloadParts, request: FileOfFolderRequest, reply: FastifyReply) {
  const { ticket, version, ...named } = request.params;
  const { command } = await parts.tickets.openFolder(requireCaller(request), ticket);
  const { data: file } = WantedFile.safeParse({ ...named, version: Number(version) });
  if (!file) throw noSuchDownload();
  const found = await findContent(parts, request, reply, command, file);
  return sendContent(parts, request, reply, { ...found, sha256: file.sha256 });
}

async function sendPack(parts: DownloadParts, request: TicketRequest, reply: FastifyReply) {
  const { command } = await parts.tickets.openFolder(requireCaller(request), request.params.ticket);
  const { files } = parseBody(PackRequest, request.body);
  const digests = files.map(({ sha256 }) => sha256);
  const contents = await read(parts, request, reply, command, files, (transaction) =>
    findBlobs(transaction, digests),
  );
  const bytes = contents.reduce((sum, { size }) => sum + size, 0);
  if (bytes > packBytes || contents.some(({ size }) => size > packedFileBytes)) {
    throw new ProblemError(
      "too_large",
      `A pack can have ${packBytes} bytes, in files of at most ${packedFileBytes}.`,
    );
  }
  // With a length, so that nobody takes a pack that was cut for a whole one.
  reply.header("content-length", packLength(contents)).type("application/octet-stream");
  return reply.send(Readable.from(packContents(parts.blobStore, contents), { objectMode: false }));
}

async function sendPage(parts: DownloadParts, request: TicketRequest, reply: FastifyReply) {
  const ticket = await parts.tickets.openFolder(requireCaller(request), request.params.ticket);
  const { after } = parseBody(PageRequest, request.body);
  const [call, context] = callOf(parts, request, reply, ticket.command);
  return listDownload(parts, call, { folderId: ticket.id, after }, context);
}

function findContent(
  parts: DownloadParts,
  request: FastifyRequest,
  reply: FastifyReply,
  command: string,
  file: FileVersion,
) {
  return read(parts, request, reply, command, [file], (transaction) => findBlob(transaction, file.sha256));
}

/** In the transaction in which the command says that the caller can read these files now. */
async function read<T>(
  parts: DownloadParts,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  files: readonly FileVersion[],
  work: (transaction: TenantTransaction) => Promise<T>,
): Promise<T> {
  const [call, context] = callOf(parts, request, reply, path);
  return readDownload(parts, call, files, context, work);
}

/** Of the command that created the address. */
function callOf(
  { catalog, limits }: DownloadParts,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): [CommandCall, RequestContext] {
  const command = catalog.find(path);
  if (!command) throw noSuchDownload();
  const { inSession } = callHeaders(request);
  return [
    { command, arguments: {}, dryRun: false, inSession },
    requestContext(request, reply, limits, command),
  ];
}

interface SentContent {
  key: string;
  size: number;
  sha256: string;
  /** Absent for a file of a folder, whose list has both. */
  name?: string;
  mediaType?: string;
}

async function sendContent(
  { blobStore }: DownloadParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, size, sha256, name, mediaType = "" }: SentContent,
) {
  const etag = `"${sha256}"`;
  reply
    .header("etag", etag)
    .header("accept-ranges", "bytes")
    .header(headers.representationDigest, `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`)
    .header(
      "content-disposition",
      `attachment${name === undefined ? "" : `; filename*=UTF-8''${encodeFileName(name)}`}`,
    )
    .header("x-content-type-options", "nosniff")
    .type(isMediaType(mediaType) ? mediaType : "application/octet-stream");
  // A range of another version would corrupt the client's copy: If-Range makes it start over.
  const condition = request.headers["if-range"];
  const wanted = condition === undefined || condition === etag ? request.headers.range : undefined;
  const range = parseRange(wanted, size);
  if (range === "unsatisfiable") {
    reply.header("content-range", `bytes */${size}`);
    throw new ProblemError("range_not_satisfiable", `The file has ${size} bytes.`);
  }
  if (range) reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${size}`);
  reply.header("content-length", range ? range.end - range.start + 1 : size);
  if (request.method === "HEAD") return reply.send();
  return reply.send(counted(await blobStore.read(key, range)));
}

function noSuchDownload(): ProblemError {
  return new ProblemError("not_found", "This download does not exist.");
}

/** RFC 8187: encodeURIComponent leaves ' ( ) * as they are and throws at a lone surrogate. */
function encodeFileName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}

function isMediaType(text: string): boolean {
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?[\w-]{1,50}=[\w.+-]{1,100})?$/.test(text);
}
