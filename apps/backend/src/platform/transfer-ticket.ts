import { createSecretKey, type KeyObject } from "node:crypto";
import { ProblemError } from "@svc/protocol/problem";
import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Caller } from "./caller.ts";

/**
 * Addresses of uploads and downloads are signed, so that no process has to remember them. A ticket is no credential:
 * it works only beside the credential of the actor that it was made for.
 */
const UploadTicket = z.object({ id: z.string(), argument: z.string(), path: z.string(), maxBytes: z.int() });
const ContinuationTicket = z.object({ argvDigest: z.string(), uploads: z.array(UploadTicket) });
const DownloadTicket = z.object({
  name: z.string(),
  size: z.int(),
  sha256: z.string(),
  mediaType: z.string(),
});

export type UploadTicket = z.infer<typeof UploadTicket>;
export type ContinuationTicket = z.infer<typeof ContinuationTicket>;
export type DownloadTicket = z.infer<typeof DownloadTicket>;

export class TransferTickets {
  /** A key object, which jose imports once; bytes it would import for every ticket. */
  readonly #secret: KeyObject;

  constructor(secret: string) {
    this.#secret = createSecretKey(secret, "utf8");
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
    return this.#sign("download", caller, ticket);
  }

  openDownload(caller: Caller, text: string): Promise<DownloadTicket> {
    return this.#open("download", caller, text, DownloadTicket);
  }

  #sign(purpose: string, { actor, tenant }: Caller, payload: Record<string, unknown>): Promise<string> {
    return new SignJWT({ ticket: payload })
      .setProtectedHeader({ alg: "HS256", typ: `svc-${purpose}` })
      .setSubject(actor.id)
      .setAudience(tenant.id)
      .setExpirationTime("12h")
      .sign(this.#secret);
  }

  async #open<T>(purpose: string, { actor, tenant }: Caller, text: string, schema: z.ZodType<T>): Promise<T> {
    try {
      const { payload } = await jwtVerify(text, this.#secret, {
        algorithms: ["HS256"],
        typ: `svc-${purpose}`,
        subject: actor.id,
        audience: tenant.id,
      });
      return schema.parse(payload.ticket);
    } catch (error) {
      if (!(error instanceof errors.JOSEError || error instanceof z.ZodError)) throw error;
      throw new ProblemError("not_found", `There is no such ${purpose}, or its time is over.`);
    }
  }
}
