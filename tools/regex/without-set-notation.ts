/**
 * Recheck does not know the `v` flag. Each class that uses it is replaced by the same characters as ranges, found by
 * asking the engine about every code point, so that the verdict is about the same language.
 */
export function withoutSetNotation(source: string): string {
  let plain = "";
  for (let at = 0; at < source.length; ) {
    const end = endOfPart(source, at);
    const part = source.slice(at, end);
    plain += part.startsWith("[") ? asRanges(part) : part;
    at = end;
  }
  return plain;
}

/** Where the class, the escape or the character that begins here ends. */
function endOfPart(source: string, start: number): number {
  if (source[start] === "\\") return start + 2;
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "[") depth += 1;
    else if (source[at] === "]") depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw new Error(`a class does not end: ${source}`);
}

const lastCodePoint = 0x10ffff;
const rangesOf = new Map<string, string>();

function asRanges(written: string): string {
  const ranges = rangesOf.get(written) ?? listRanges(new RegExp(`^${written}$`, "v"));
  rangesOf.set(written, ranges);
  return ranges;
}

function listRanges(holds: RegExp): string {
  let ranges = "";
  let first: number | undefined;
  for (let codePoint = 0; codePoint <= lastCodePoint + 1; codePoint += 1) {
    const isInside = codePoint <= lastCodePoint && holds.test(String.fromCodePoint(codePoint));
    if (isInside) first ??= codePoint;
    else if (first !== undefined) {
      ranges += `${escaped(first)}-${escaped(codePoint - 1)}`;
      first = undefined;
    }
  }
  return `[${ranges}]`;
}

function escaped(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}
