import type { Run } from "@svc/protocol/styles";
import { joinLines, linesOf, plainText, sliceRuns, type Text } from "./styled-text.ts";
import { fittingLength, widthOf } from "./width.ts";

/** Lines at most this wide, broken between words; what continues a line is indented like it. Clean text only. */
export function wrapText(text: Text, columns: number): Run[] {
  return joinLines(linesOf(text).flatMap((line) => wrapLine(line, columns)));
}

function wrapLine(line: readonly Run[], columns: number): Run[][] {
  const plain = plainText(line);
  if (widthOf(plain) <= columns) return [[...line]];
  const indent = plain.length - plain.trimStart().length;
  const room = Math.max(columns - indent, Math.ceil(columns / 2));
  const space = " ".repeat(columns - room);
  return partsOf(plain, room).map(([from, to]) => [space, ...sliceRuns(line, from, to)]);
}

/** Where each line begins and ends in the text. A word that is wider than a line is broken. */
function partsOf(text: string, room: number): [from: number, to: number][] {
  const parts: [number, number][] = [];
  let part: [number, number] | undefined;
  for (const { 0: word, index } of text.matchAll(/[^ ]+/g)) {
    const end = index + word.length;
    if (part && widthOf(text.slice(part[0], end)) <= room) {
      part[1] = end;
      continue;
    }
    let start = index;
    while (widthOf(text.slice(start, end)) > room) {
      const length = fittingLength(text.slice(start, end), room);
      parts.push([start, start + length]);
      start += length;
    }
    part = [start, end];
    parts.push(part);
  }
  return parts;
}
