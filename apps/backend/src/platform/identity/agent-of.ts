import { createHash } from "node:crypto";
import type { Caller } from "./caller.ts";

/** An agent that acts for a person with a token of their provider: it may do what they may, as an AI member may do it. */
export function agentOf(person: Caller["actor"]): Caller["actor"] {
  const { id, name, isAdministrator } = person;
  return { ...person, kind: "ai", isAdministrator: false, onBehalfOf: { id, name, isAdministrator } };
}

/**
 * Tokens are renewed all the time: person and client stay, and with them previews, operations and questions. A UUID of
 * version 8, which no row has.
 */
export function agentCredential(personId: string, client: string): string {
  const hex = createHash("sha256").update(`${personId} ${client}`).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join("-");
}

export function isAgentCredential(credential: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-8/.test(credential);
}
