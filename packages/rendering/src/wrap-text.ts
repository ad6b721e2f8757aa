import type { Run } from "@svc/protocol/styles";
import { joinLines, linesOf, plainText, sliceRuns, type Text } from "./styled-text.ts";
import { fittingLength, widthOf } from "./width.ts";

/** Lines at most this wide, broken between words; what continues a line is indented like it. Clean text only. */
export function wrapText(text: Text, columns: number): Run[] {
  return joinLines(linesOf(text).flatMap((line) => wrapLine(line, Math.max(1, columns))));
}

function wrapLine(line: readonly Run[], columns: number): Run[][] {
  const plain = plainText(line);
  if (widthOf(plain) <= columns) return [[...line]];
  const indent = plain.length - plain.trimStart().length;
  const room = Math.max(columns - indent, Math.ceil(columns / 2));
  const space = " ".repeat(columns - room);
  return partsOf(plain, room).map(([from, to]) => [space, ...sliceRuns(line, from, to)]);
}

/**
 * Where each line begins and ends in the text. A word that is wider than a line is broken. Every character is measured
 * once or twice, whatever the width: a text may have a million.
 */
function partsOf(text: string, room: number): [from: number, to: number][] {
  const parts: [number, number][] = [];
  let part: [from: number, to: number] | undefined;
  let used = 0;
  for (const { 0: word, index } of text.matchAll(/[^ ]+/g)) {
    const end = index + word.length;
    const width = widthOf(word);
    const gap = part ? index - part[1] : 0;
    if (part && used + gap + width <= room) {
      part[1] = end;
      used += gap + width;
      continue;
    }
    let start = index;
    if (width > room) {
      for (let fits = fittingLength(word, room); start + fits < end; ) {
        parts.push([start, start + fits]);
        start += fits;
        fits = fittingLength(text.slice(start, end), room);
      }
    }
    part = [start, end];
    used = width > room ? widthOf(text.slice(start, end)) : width;
    parts.push(part);
  }
  return parts;
}
