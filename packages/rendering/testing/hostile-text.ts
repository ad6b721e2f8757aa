import fc from "fast-check";

/** What people put into names to fool a terminal or its reader. */
const hostile = [
  ...["\u0000", "\u0007", "\b", "\r", "\u001b", "\u007f", "\u0085", "\u009b", "\u009d"],
  ...[
    "\u202a",
    "\u202e",
    "\u2066",
    "\u2069",
    "\u200b",
    "\u200e",
    "\u200f",
    "\u2060",
    "\ufeff",
    "\u00ad",
    "\u061c",
  ],
  ...["\u2028", "\u2029", "\u{e0041}", "\u{e007f}", "\ufff9", "\ud800", "\udfff", "\u3164", "\u115f"],
  ...[
    "\u001b]52;c;cm0gLXJmIC8=\u0007",
    "\u001b[2J\u001b[H",
    "\u009b31m",
    "\r\u001b[K",
    "\u001b]8;;http://evil\u001b\\",
  ],
];
const harmless = [
  "a",
  "Z",
  " ",
  "ä",
  "日本",
  "👩‍💻",
  "❤️",
  "e\u0301",
  "\\",
  "\\u{1b}",
  "\n",
  "\t",
  "'",
  '"',
  "/",
  ".",
  "..",
  "$",
];

export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...hostile), fc.constantFrom(...harmless), fc.string({ unit: "binary" })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pieces) => pieces.join(""));

/** By code point, not by the expression under test. */
const ranges: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe00ff],
];

/** The code points in it that a terminal obeys or hides. */
export function forbiddenIn(printed: string): string[] {
  return [...printed]
    .map((character) => character.codePointAt(0) ?? 0)
    .filter((point) => ranges.some(([from, to]) => from <= point && point <= to))
    .map((point) => `U+${point.toString(16)}`);
}
