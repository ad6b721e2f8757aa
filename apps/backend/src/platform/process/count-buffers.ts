import { setFlagsFromString } from "node:v8";

export const countBuffersFlag = "--external-memory-accounted-in-global-limit";

/**
 * Contents of files pass in blocks of 64 kB outside the heap of V8. By default it has a separate limit for them, and
 * collected the whole heap about once for every 16 MB: more than a third of the time of a large upload. Counted
 * together with the heap, they cause a collection every few hundred megabytes.
 */
export function countBuffersWithHeap(): void {
  setFlagsFromString(countBuffersFlag);
}
