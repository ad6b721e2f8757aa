import type { Readable } from "node:stream";

/** `end` is inclusive, as in HTTP ranges. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Stores bytes under keys and knows nothing else: the database knows who owns them, which are equal and how long they
 * are needed. Every write gets a new key that is never reused, so nothing is ever overwritten and a late removal never
 * hits something else.
 */
export interface BlobStore {
  /**
   * When this resolves, everything is durable under the key; before that, or if it rejects, nothing is readable under
   * it.
   */
  write(key: string, content: Readable): Promise<Written>;
  /**
   * The same for files of this machine that are durable and never change again. They stay where they are; a store on the
   * same disk has them under a second name, without copying or reading them.
   */
  adopt(files: readonly OwnFile[]): Promise<void>;
  /** Throws if the object does not exist: a row promised it. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Does nothing if the object does not exist, because it is repeated after a crash. */
  remove(key: string): Promise<void>;
  /** Complete objects that were written before. Skips names that are not our keys. */
  list(before: Date): AsyncIterable<string>;
  /** Fails if objects cannot be stored now. Cheap enough to be called every few seconds. */
  check(signal: AbortSignal): Promise<void>;
  /** Removes the remains of interrupted writes; returns how many. */
  removeUnfinished(before: Date): Promise<number>;
}

export interface OwnFile {
  key: string;
  place: string;
  size: number;
  sha256: string;
}

export interface Written {
  size: number;
  sha256: string;
}

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const ours = new RegExp(`^(?<tenantId>${uuid})_(?<storageKey>${uuid})$`);

/** One prefix per tenant. No slash: the gateway that tests use does not list unfinished uploads of keys with a slash. */
export function blobKey(tenantId: string, storageKey: string): string {
  return `${tenantId}_${storageKey}`;
}

/** Undefined if it is not one of our keys. */
export function parseBlobKey(key: string): { tenantId: string; storageKey: string } | undefined {
  const { tenantId, storageKey } = ours.exec(key)?.groups ?? {};
  return tenantId === undefined || storageKey === undefined ? undefined : { tenantId, storageKey };
}
