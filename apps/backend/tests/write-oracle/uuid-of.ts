import { decodeId, type IdKind, idPrefixes } from "@svc/protocol/typed-id";

const kinds = Object.keys(idPrefixes) as IdKind[];

/** The id as the tables have it; undefined if the text is none. */
export function uuidOf(id: string): string | undefined {
  return decodeId(id, ...kinds);
}
