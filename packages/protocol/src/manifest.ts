/*
 * How files travel: a manifest names them with their sizes, small ones then go in packs, large ones in pieces. Without
 * zod, because the client loads this.
 */

export const pieceBytes = 16 * 1_024 ** 2;

/** Limits of a folder that is sent. Whatever is above them is refused while it is read. */
export const mostFiles = 100_000;
/** Files and folders, also those folders that only paths name. */
export const mostEntries = 200_000;
/** Names in a path. */
export const deepestPath = 64;
/** Bytes of a path. */
export const longestPath = 4_096;
/** Bytes of the first line, which names what stays behind. */
export const longestHead = 4 * 1_024 ** 2;
/** Bytes of another line: a character of a path takes up to six in JSON. */
export const longestLine = 6 * longestPath + 200;
export const longestManifest = 64 * 1_024 ** 2;

export const manifestMediaType = "application/x-ndjson";
export const packMediaType = "application/octet-stream";

/**
 * The first line of a manifest. `leftOut` has the paths of a folder that stay behind, links for example, so that nobody
 * takes them for deleted. A name that begins with a dot is not told: all of them are `.*`.
 */
export type ManifestHead = { kind: "file" | "folder"; leftOut?: readonly string[] };

/**
 * The other lines: a folder, or a file with its size and a stamp, which changes when the file does. Paths are relative
 * to what was named, `a/b.txt`; a file that was named itself has the empty path.
 */
export type ManifestLine = [path: string] | [path: string, size: number, stamp: string];

/** Places in a manifest, from 0. */
export interface Range {
  first: number;
  last: number;
}

/** Of places in ascending order. */
export function toRanges(places: Iterable<number>): Range[] {
  const ranges: Range[] = [];
  for (const place of places) {
    const last = ranges.at(-1);
    if (last?.last === place - 1) last.last = place;
    else ranges.push({ first: place, last: place });
  }
  return ranges;
}

/** Only places of a list of this length. */
export function* placesIn(ranges: readonly Range[], length: number): Generator<number> {
  for (const { first, last } of ranges) {
    for (let place = Math.max(0, first); place <= Math.min(last, length - 1); place += 1) yield place;
  }
}

/** Precedes the bytes of each file in a pack. */
export function packFrame(place: number, sha256: string): string {
  return `${place} ${sha256}\n`;
}

export const longestPackFrame = 80;

/** Undefined if it is none. */
export function parsePackFrame(line: string): { place: number; sha256: string } | undefined {
  const [, place, sha256] = /^(\d{1,6}) ([0-9a-f]{64})$/.exec(line) ?? [];
  return place === undefined || sha256 === undefined ? undefined : { place: Number(place), sha256 };
}
