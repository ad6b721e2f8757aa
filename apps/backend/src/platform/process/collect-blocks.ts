import { pipeline, type Readable, Transform } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Contents of files pass in blocks that V8 keeps outside its heap. It looks for garbage when the heap fills up, which a
 * few small objects per block do not do, until the memory outside reaches a limit: then it goes through the whole heap,
 * once for every 16 MB. A look at young objects frees the same blocks in a fraction of the time.
 */
const bytesPerCollection = 2 * 1024 ** 2;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as NodeJS.GCFunction;
setFlagsFromString("--no-expose-gc");

let passed = 0;

/** For whatever takes blocks of contents from a file or a connection: so many bytes more can be freed soon. */
export function countBlock(bytes: number): void {
  passed += bytes;
  if (passed < bytesPerCollection) return;
  passed = 0;
  collect({ type: "minor" });
}

/** Old objects, too: the process stands still meanwhile. */
export function collectAll(): void {
  void collect({ type: "major", execution: "async" });
}

/** The same content, counted as it passes. */
export function counted(content: Readable): Readable {
  const counter = new Transform({
    transform(block: Buffer, _encoding, done) {
      countBlock(block.length);
      done(null, block);
    },
  });
  // Whoever reads it gets the error, too.
  return pipeline(content, counter, () => {});
}
