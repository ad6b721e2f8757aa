import { decodeId, type IdKind, idPrefixes } from "@svc/protocol/typed-id";

const kinds = Object.keys(idPrefixes) as IdKind[];

/** The id in the tables; undefined if the text is not an id. */
export function uuidOf(id: string): string | undefined {
  return decodeId(id, ...kinds);
}
