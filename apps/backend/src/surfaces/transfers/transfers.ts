import type { Readable } from "node:stream";
import { requireMayRun } from "@svc/command-router/require-may-run";
import { headers } from "@svc/protocol/headers";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Platform } from "../../platform/commands/platform.ts";
import { shareOf } from "../../platform/identity/caller.ts";
import { requireActive } from "../../platform/identity/current-actor.ts";
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
  app.addContentTypeParser(pieceMediaType, (_request, payload, done) => done(null, payload));

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
}

/** The caller must still be allowed to run the command that the file is for. */
async function openUpload({ tickets, staging, catalog, database }: TransferParts, request: TicketRequest) {
  const caller = requireCaller(request);
  await requireActive(database, caller);
  const ticket = await tickets.openUpload(caller, request.params.ticket);
  const command = catalog.find(ticket.command);
  if (!command) throw new ProblemError("not_found", "This upload does not exist.");
  requireMayRun(command, {
    actorKind: caller.actor.kind,
    inSession: callHeaders(request).inSession,
    scopes: caller.scopes,
  });
  return { ...ticket, call: staging.call(caller, ticket.call) };
}

async function receivePiece(parts: TransferParts, request: TicketRequest, reply: FastifyReply) {
  const { call, upload, path, maxBytes } = await openUpload(parts, request);
  const offset = String(request.headers[headers.uploadOffset]);
  if (!/^\d{1,15}$/.test(offset)) {
    throw new ProblemError("invalid_request", "The Upload-Offset header must say where this piece begins.");
  }
  if (request.headers["content-type"] !== pieceMediaType) {
    throw new ProblemError("unsupported_media_type", `Send ${pieceMediaType}.`);
  }
  const length = request.headers["content-length"];
  const received = await parts.uploadShares.receiving.run(shareOf(requireCaller(request)), () =>
    call.append(upload, {
      offset: Number(offset),
      maxBytes,
      length: length === undefined ? undefined : Number(length),
      content: request.body as Readable,
    }),
  );
  const promised = sha256Of(request.headers[headers.representationDigest]);
  if (promised !== undefined && (await call.open(upload, path)).sha256 !== promised) {
    await call.remove(upload);
    throw new ProblemError(
      "digest_mismatch",
      "The received content does not match its digest. Send the file again.",
    );
  }
  return reply.code(204).header(headers.uploadOffset, received).send();
}

/** RFC 9530: `sha-256=:base64:`. */
function sha256Of(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const encoded = /(?:^|,\s*)sha-256=:([A-Za-z0-9+/]{43}=):/.exec(String(header))?.[1];
  if (encoded === undefined)
    throw new ProblemError("invalid_request", "The Repr-Digest header must contain a sha-256.");
  return Buffer.from(encoded, "base64").toString("hex");
}
