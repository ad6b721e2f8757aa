import { timingSafeEqual } from "node:crypto";
import { hashSecret, newSecret } from "./service-token.ts";

/** `svc_st_<secret>`: what an AI member's session presents beside its token, in another header. */
export function newTicket(): string {
  return `svc_st_${newSecret()}`;
}

export function matchesTicket(ticketHash: Buffer, presented: string | undefined): boolean {
  return timingSafeEqual(ticketHash, hashSecret(presented ?? ""));
}
