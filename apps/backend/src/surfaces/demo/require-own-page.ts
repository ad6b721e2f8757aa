import { ProblemError } from "@svc/protocol/problem";
import type { FastifyRequest } from "fastify";

/**
 * A form or script of another site cannot send these media types without asking first, and nobody answers that
 * question. Browsers also say where a request comes from.
 */
export function requireOwnPage({ headers }: FastifyRequest, mediaType: string): void {
  const site = headers["sec-fetch-site"];
  // guard: own-page-by-site
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    throw new ProblemError("not_permitted", "The demo answers its own page only.");
  }
  const sent = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  // guard: own-page-by-media-type
  if (sent !== mediaType) throw new ProblemError("unsupported_media_type", `Send ${mediaType}.`);
}
