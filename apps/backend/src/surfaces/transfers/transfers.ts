import { PassThrough, Readable } from "node:stream";
import { requireMayRun } from "@svc/command-router/require-may-run";
import { headers } from "@svc/protocol/headers";
import { manifestMediaType, packMediaType } from "@svc/protocol/manifest";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Platform } from "../../platform/commands/platform.ts";
import { runnerOf, shareOf } from "../../platform/identity/caller.ts";
import { requireActive } from "../../platform/identity/current-actor.ts";
import type { Piece } from "../../platform/uploads/piece-writer.ts";
import type { StagedTree } from "../../platform/uploads/staged-tree.ts";
import type { Staging } from "../../platform/uploads/staging.ts";
import type { TransferTickets } from "../../platform/uploads/transfer-ticket.ts";
import { requireCaller } from "../http/authentication.ts";
import type { Limits } from "../http/limits.ts";
import { callHeaders } from "../http/request-context.ts";
import type { UploadShares } from "./upload-shares.ts";

interface TransferParts extends Platform {
  limits: Limits;
  staging: Staging;
  tickets: TransferTickets;
  uploadShares: UploadShares;
}

type TicketRequest = FastifyRequest<{ Params: { ticket: string } }>;

const pieceMediaType = "application/offset+octet-stream";
const hour = 60 * 60 * 1_000;

/**
 * Uploads speak the core of tus 1.0 (HEAD for the offset, PATCH to continue from it); creation is the answer to a
 * command. They are streamed and can be resumed after any interruption.
 */
export function registerTransfers(app: FastifyInstance, parts: TransferParts): void {
  for (const mediaType of [pieceMediaType, manifestMediaType, packMediaType]) {
    app.addContentTypeParser(mediaType, (_request, payload, done) => done(null, payload));
  }

  app.head("/api/v1/uploads/:ticket", async (request: TicketRequest, reply) => {
    const { call, upload, maxBytes } = await openUpload(parts, request);
    await call.requireUnused();
    reply.header(headers.uploadOffset, await call.received(upload)).header("upload-max-length", maxBytes);
    return reply.code(204).send();
  });

  // The body limit applies to parsed bodies, which a piece is not: its ticket limits its size.
  const patient = { handlerTimeout: 12 * hour };
  app.patch("/api/v1/uploads/:ticket", patient, async (request: TicketRequest, reply) =>
    receivePiece(parts, request, reply),
  );
  registerTrees(app, parts);
}

type TreeRequest = FastifyRequest<{ Params: { ticket: string; manifest: string; entry: string } }>;

/** Folders and large files: a manifest first, then what the answer to the repeated line asks for. */
function registerTrees(app: FastifyInstance, parts: TransferParts): void {
  const patient = { handlerTimeout: hour };
  const received = async (
    request: TreeRequest,
    work: (tree: StagedTree, content: Readable) => Promise<unknown>,
  ) => {
    const { call, upload, acceptsFolder } = await openUpload(parts, request);
    if (!acceptsFolder) throw new ProblemError("not_found", "This upload takes no manifest.");
    const content = request.body as Readable | undefined;
    if (!content) throw new ProblemError("invalid_request", "The request has no body.");
    const share = shareOf(requireCaller(request));
    try {
      return await parts.uploadShares.receiving.run(share, () => work(call.tree(upload), content));
    } catch (error) {
      // The next request on this connection comes after the rest of the body, which nobody looks at.
      content.resume();
      throw error;
    }
  };
  app.post("/api/v1/uploads/:ticket/manifest", patient, async (request: TreeRequest) => ({
    id: await received(request, (tree, content) => tree.receiveManifest(content, lengthOf(request))),
  }));
  app.post("/api/v1/uploads/:ticket/:manifest/digests", patient, async (request: TreeRequest, reply) => {
    await received(request, (tree, content) => tree.receiveDigests(request.params.manifest, content));
    return reply.code(204).send();
  });
  app.post("/api/v1/uploads/:ticket/:manifest/pack", patient, async (request: TreeRequest, reply) => {
    await received(request, (tree, content) => tree.receivePack(request.params.manifest, content));
    return reply.code(204).send();
  });
  app.head("/api/v1/uploads/:ticket/:manifest/:entry", async (request: TreeRequest, reply) => {
    const { call, upload } = await openUpload(parts, request);
    const { manifest, entry } = request.params;
    reply.header(headers.uploadOffset, await call.tree(upload).received(manifest, placeOf(entry)));
    return reply.code(204).send();
  });
  app.patch("/api/v1/uploads/:ticket/:manifest/:entry", patient, async (request: TreeRequest, reply) => {
    const { manifest, entry } = request.params;
    const end = await withBody(request, (content) =>
      received(request, (tree) => {
        const sha256 = sha256Of(request.headers[headers.representationDigest]);
        return tree.append(manifest, placeOf(entry), pieceOf(request, content), sha256);
      }),
    );
    return reply.code(204).header(headers.uploadOffset, end).send();
  });
}

function placeOf(entry: string): number {
  if (!/^\d{1,6}$/.test(entry)) throw new ProblemError("not_found", "The manifest has no such file.");
  return Number(entry);
}

/** The caller must still be allowed to run the command that the file is for. */
async function openUpload({ tickets, staging, catalog, database }: TransferParts, request: TicketRequest) {
  const caller = requireCaller(request);
  await requireActive(database, caller);
  const ticket = await tickets.openUpload(caller, request.params.ticket);
  const command = catalog.find(ticket.command);
  if (!command) throw new ProblemError("not_found", "This upload does not exist.");
  requireMayRun(command, runnerOf(caller, callHeaders(request).inSession));
  const acceptsFolder = command.specs.some((spec) => spec.localFile && spec.acceptsFolder);
  return { ...ticket, acceptsFolder, call: staging.call(caller, ticket.call) };
}

async function receivePiece(parts: TransferParts, request: TicketRequest, reply: FastifyReply) {
  return withBody(request, async (content) => {
    const { call, upload, maxBytes } = await openUpload(parts, request);
    const piece = pieceOf(request, content);
    const received = await parts.uploadShares.receiving.run(shareOf(requireCaller(request)), () =>
      call.append(upload, { ...piece, maxBytes }),
    );
    const promised = sha256Of(request.headers[headers.representationDigest]);
    if (promised !== undefined && (await call.digest(upload)) !== promised) {
      await call.remove(upload);
      throw new ProblemError(
        "digest_mismatch",
        "The received content does not match its digest. Send the file again.",
      );
    }
    return reply.code(204).header(headers.uploadOffset, received).send();
  });
}

function pieceOf(request: FastifyRequest, content: Readable): Omit<Piece, "maxBytes"> {
  const offset = String(request.headers[headers.uploadOffset]);
  if (!/^\d{1,15}$/.test(offset)) {
    throw new ProblemError("invalid_request", "The Upload-Offset header must say where this piece begins.");
  }
  if (request.headers["content-type"] !== pieceMediaType) {
    throw new ProblemError("unsupported_media_type", `Send ${pieceMediaType}.`);
  }
  return { offset: Number(offset), length: lengthOf(request), content };
}

function lengthOf({ headers: sent }: FastifyRequest): number | undefined {
  const length = sent["content-length"];
  return length === undefined ? undefined : Number(length);
}

/**
 * Takes what arrives at once, while rights and room are checked: if the connection breaks meanwhile, the bytes that came
 * are a shorter piece, and not lost.
 */
async function withBody<T>({ body }: FastifyRequest, work: (content: Readable) => Promise<T>): Promise<T> {
  const content = new PassThrough({ highWaterMark: takenBytes });
  if (body instanceof Readable) {
    body.once("error", () => content.end());
    content.once("error", (error) => body.destroy(error));
    body.pipe(content);
  } else content.end();
  try {
    return await work(content);
  } catch (error) {
    // The next request on this connection comes after the rest of the body.
    content.resume();
    throw error;
  }
}

const takenBytes = 256 * 1_024;

/** RFC 9530: `sha-256=:base64:`. */
function sha256Of(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const encoded = /(?:^|,\s*)sha-256=:([A-Za-z0-9+/]{43}=):/.exec(String(header))?.[1];
  if (encoded === undefined)
    throw new ProblemError("invalid_request", "The Repr-Digest header must contain a sha-256.");
  return Buffer.from(encoded, "base64").toString("hex");
}
