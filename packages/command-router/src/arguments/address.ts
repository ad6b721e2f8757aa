import { z } from "zod";

/** `file:x` is a file on the caller's machine, so no workspace may have this slug. */
export const localPrefix = "file";

/** What an argument names: a path in a workspace, or a collection. */
export type AddressKind = "path" | "collection";

export interface Address {
  /** As typed: a slug, name or id. Absent if the call's workspace is meant. */
  workspace?: string;
  /** The path or the collection itself. */
  rest: string;
}

/**
 * `marketing:/reports`, `sales:customers`. The only parser of addresses. A path begins with a slash behind the colon, so
 * `a:b` stays the name of a file; no new collection has a colon in its name.
 */
export function parseAddress(text: string, kind: AddressKind): Address {
  const colon = text.indexOf(":");
  const [workspace, rest] = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)];
  const isAddress = kind === "path" ? rest.startsWith("/") : rest !== "";
  if (workspace === "" || workspace.includes("/") || !isAddress) return { rest: text };
  return { workspace: workspace.normalize("NFC"), rest };
}

export function formatAddress({ workspace, rest }: Address): string {
  return workspace === undefined ? rest : `${workspace}:${rest}`;
}

/** An argument that takes a path in the call's workspace, or an address. */
export function remotePath() {
  return z.string().min(1).max(4_096).meta({ address: "path" });
}

/** An argument that takes a collection by slug, name or id, or an address. */
export function collectionName() {
  return z.string().min(1).max(1_000).meta({ address: "collection" });
}
