import { createSecretKey, type KeyObject } from "node:crypto";
import type { Database } from "@svc/database/database";
import { ProblemError } from "@svc/protocol/problem";
import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { type Caller, credentialKey } from "../identity/caller.ts";

/** As long as an upload may take. */
export const uploadTicketMillis = 12 * 60 * 60_000;
/** Time to start or resume a download. After that, a client asks for another address. */
const downloadTicketMillis = 5 * 60_000;

/**
 * Addresses of uploads and downloads are signed, so that no process has to remember them. A ticket is not a credential:
 * it works only together with the credential it was made for.
 */
const StagedCallTicket = z.object({ id: z.string(), askedAt: z.int() });
const UploadTicket = z.object({
  call: StagedCallTicket,
  /** The place of the file among those of its call. */
  upload: z.int(),
  path: z.string(),
  maxBytes: z.int(),
  /** The command that the file is for: its scopes are checked again with every piece. */
  command: z.string(),
});
const ContinuationTicket = z.object({
  call: StagedCallTicket,
  argvDigest: z.string(),
  uploads: z.array(z.object({ argument: z.string(), path: z.string() })),
});
const DownloadTicket = z.object({
  /**
   * The command that created it: with every request it checks again whether the caller can read this version of the
   * file.
   */
  command: z.string(),
  id: z.string(),
  version: z.int(),
  name: z.string(),
  size: z.int(),
  sha256: z.string(),
  mediaType: z.string(),
});

/** For the list of a folder and its files: each request names files, and the command checks all of them. */
const FolderTicket = z.object({ command: z.string(), id: z.string() });

type UploadTicket = z.infer<typeof UploadTicket>;
export type ContinuationTicket = z.infer<typeof ContinuationTicket>;
type DownloadTicket = z.infer<typeof DownloadTicket>;
type FolderTicket = z.infer<typeof FolderTicket>;

export class TransferTickets {
  /** A key object, which jose imports once; it would import bytes for every ticket. */
  readonly #secret: KeyObject;
  readonly #clock: Database["clock"];

  /** Tickets are signed and opened by any process, so they expire by the one clock that all of them share. */
  constructor(secret: string, clock: Database["clock"]) {
    this.#secret = createSecretKey(secret, "utf8");
    this.#clock = clock;
  }

  signUpload(caller: Caller, ticket: UploadTicket): Promise<string> {
    return this.#sign("upload", caller, ticket);
  }

  openUpload(caller: Caller, text: string): Promise<UploadTicket> {
    return this.#open("upload", caller, text, UploadTicket);
  }

  signContinuation(caller: Caller, ticket: ContinuationTicket): Promise<string> {
    return this.#sign("continuation", caller, ticket);
  }

  openContinuation(caller: Caller, text: string): Promise<ContinuationTicket> {
    return this.#open("continuation", caller, text, ContinuationTicket);
  }

  signDownload(caller: Caller, ticket: DownloadTicket): Promise<string> {
    return this.#sign("download", caller, ticket, downloadTicketMillis);
  }

  openDownload(caller: Caller, text: string): Promise<DownloadTicket> {
    return this.#open("download", caller, text, DownloadTicket);
  }

  signFolder(caller: Caller, ticket: FolderTicket): Promise<string> {
    return this.#sign("folder", caller, ticket, downloadTicketMillis);
  }

  openFolder(caller: Caller, text: string): Promise<FolderTicket> {
    return this.#open("folder", caller, text, FolderTicket);
  }

  async #sign(
    purpose: string,
    caller: Caller,
    payload: Record<string, unknown>,
    millis = uploadTicketMillis,
  ): Promise<string> {
    const now = (await this.#clock())();
    return new SignJWT({ ticket: payload, credential: credentialKey(caller) })
      .setProtectedHeader({ alg: "HS256", typ: `svc-${purpose}` })
      .setSubject(caller.actor.id)
      .setAudience(caller.tenant.id)
      .setExpirationTime(new Date(now.getTime() + millis))
      .sign(this.#secret);
  }

  async #open<T>(purpose: string, caller: Caller, text: string, schema: z.ZodType<T>): Promise<T> {
    try {
      const { payload } = await jwtVerify(text, this.#secret, {
        algorithms: ["HS256"],
        typ: `svc-${purpose}`,
        subject: caller.actor.id,
        audience: caller.tenant.id,
        currentDate: (await this.#clock())(),
      });
      z.literal(credentialKey(caller)).parse(payload.credential);
      return schema.parse(payload.ticket);
    } catch (error) {
      // Says more than "not found" only to the caller it was created for.
      if (error instanceof errors.JWTExpired && error.payload.credential === credentialKey(caller)) {
        throw new ProblemError("address_expired", `The address of this ${purpose} has expired.`, {
          hint: "Run the command again to get a new address.",
        });
      }
      if (!(error instanceof errors.JOSEError || error instanceof z.ZodError)) throw error;
      throw new ProblemError("not_found", `This ${purpose} does not exist.`);
    }
  }
}
