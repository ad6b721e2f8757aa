import { packHead } from "@svc/protocol/pack";
import type { BlobStore } from "../../platform/blobs/blob-store.ts";

interface PackedContent {
  key: string;
  sha256: string;
  size: number;
}

/** In S3, contents that were read one after the other would take a round trip each. */
const readAhead = 8;
/** Contents of a few kilobytes are sent together: writing each to the connection costs more than copying it. */
const writeBytes = 64 * 1_024;

export function packLength(contents: readonly PackedContent[]): number {
  return contents.reduce((sum, content) => sum + packHead(content).length + content.size, 0);
}

/** Small contents one after the other, each behind its digest and size. Holds a few of them in memory at a time. */
export async function* packContents(
  store: BlobStore,
  contents: readonly PackedContent[],
): AsyncGenerator<Buffer> {
  const reading = contents.slice(0, readAhead).map((content) => startReading(store, content));
  let [pending, bytes]: [Buffer[], number] = [[], 0];
  for (const [index, content] of contents.entries()) {
    const read = (await reading.shift()) ?? Buffer.alloc(0);
    const next = contents[index + readAhead];
    if (next) reading.push(startReading(store, next));
    pending.push(Buffer.from(packHead(content)), read);
    bytes += read.length;
    if (bytes < writeBytes) continue;
    yield Buffer.concat(pending);
    [pending, bytes] = [[], 0];
  }
  if (pending.length > 0) yield Buffer.concat(pending);
}

function startReading(store: BlobStore, content: PackedContent): Promise<Buffer> {
  const reading = read(store, content);
  // Reported when its turn comes, unless the caller has left by then.
  reading.catch(() => {});
  return reading;
}

/** By range: without an end the file system opens a stream that takes half a megabyte for a file of any size. */
async function read(store: BlobStore, { key, size }: PackedContent): Promise<Buffer> {
  if (size === 0) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  // Not `stream/consumers`, which makes a Blob of each.
  for await (const chunk of await store.read(key, { start: 0, end: size - 1 })) chunks.push(chunk);
  const content = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  if (content.length !== size) throw new Error(`${key} has ${content.length} bytes instead of ${size}`);
  return content;
}
