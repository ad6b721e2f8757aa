import type { Readable } from "node:stream";

/** `end` is inclusive, as in HTTP ranges. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Keeps bytes under keys, and knows nothing else: whose they are, what they have in common and how long they are needed
 * stands in the database. A key is new for every write and never used again, so that nothing is ever overwritten and
 * removing too late never removes something else.
 */
export interface BlobStore {
  /** All of it durable under the key when this resolves; nothing readable under it before, nor where it rejects. */
  write(key: string, content: Readable): Promise<Written>;
  /** Throws where there is nothing: a row promised that there is. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Does nothing where there is nothing: after a crash it is done again. */
  remove(key: string): Promise<void>;
  /** Whole objects that were written before. What is not named like ours is not listed. */
  list(before: Date): AsyncIterable<string>;
  /** Removes what writes that were cut off left behind before; says how many. */
  removeUnfinished(before: Date): Promise<number>;
}

export interface Written {
  size: number;
  sha256: string;
}

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const ours = new RegExp(`^(?<tenantId>${uuid})_(?<storageKey>${uuid})$`);

/** One prefix a tenant. No slash: the gateway that tests use does not list unfinished uploads of keys that have one. */
export function blobKey(tenantId: string, storageKey: string): string {
  return `${tenantId}_${storageKey}`;
}

/** Undefined for what is not a key of ours. */
export function parseBlobKey(key: string): { tenantId: string; storageKey: string } | undefined {
  const { tenantId, storageKey } = ours.exec(key)?.groups ?? {};
  return tenantId === undefined || storageKey === undefined ? undefined : { tenantId, storageKey };
}
