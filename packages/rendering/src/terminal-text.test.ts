import fc from "fast-check";
import { expect, test } from "vitest";
import { toTerminalLine, toTerminalText } from "./terminal-text.ts";

test.each([
  ["an escape sequence", "\u001b[31mred", "\\u{1b}[31mred"],
  ["a sequence of one C1 byte", "\u009b31m", "\\u{9b}31m"],
  ["carriage return, which overwrites the line", "real\rfake", "real\\u{d}fake"],
  ["backspace and delete", "a\bb\u007f", "a\\u{8}b\\u{7f}"],
  ["bell and NUL", "\u0007\u0000", "\\u{7}\\u{0}"],
  ["bidirectional override and isolate", "\u202egnp.exe\u2066", "\\u{202e}gnp.exe\\u{2066}"],
  ["right-to-left and Arabic letter mark", "\u200f\u061c", "\\u{200f}\\u{61c}"],
  ["deprecated format characters", "\u206a\u206f", "\\u{206a}\\u{206f}"],
  ["zero width space, joiner and byte order mark", "a\u200bb\u200d\ufeff", "a\\u{200b}b\\u{200d}\\u{feff}"],
  ["soft hyphen and fillers", "\u00ad\u115f\u3164\uffa0", "\\u{ad}\\u{115f}\\u{3164}\\u{ffa0}"],
  ["line and paragraph separator", "\u2028\u2029", "\\u{2028}\\u{2029}"],
  ["tag characters that hide text from people", "\u{e0041}", "\\u{e0041}"],
  ["a lone half of a pair", "\ud800x\udc00", "\\u{d800}x\\u{dc00}"],
])("shows %s instead of sending it", (_, text, shown) => {
  expect(toTerminalText(text)).toBe(shown);
});

test.each(["two\nlines\tand a tab", "請求書 Ärger café", "👍 ❤️ 🇯🇵 1️⃣", "葛\u{e0100}城", "עברית العربية", ""])(
  "leaves %j as it is",
  (text) => {
    expect(toTerminalText(text)).toBe(text);
  },
);

test("a line has neither newline nor tab", () => {
  expect(toTerminalLine("two\nlines\tand \u001b")).toBe("two\\nlines\\tand \\u{1b}");
});

/** By code point, unlike the implementation: what a terminal obeys, reorders or hides. */
function isForbidden(point: number): boolean {
  const between = (first: number, last: number) => point >= first && point <= last;
  if (point === 0x09 || point === 0x0a) return false;
  return (
    between(0x00, 0x1f) ||
    between(0x7f, 0x9f) ||
    between(0x200b, 0x200f) ||
    between(0x2028, 0x202e) ||
    between(0x2060, 0x206f) ||
    between(0xd800, 0xdfff) ||
    between(0xfff9, 0xfffb) ||
    between(0xe0000, 0xe007f) ||
    [0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x180e, 0x3164, 0xfeff, 0xffa0].includes(point)
  );
}

test("every forbidden code point is replaced by its number", () => {
  for (let point = 0; point <= 0x10ffff; point += 1) {
    if (isForbidden(point))
      expect(toTerminalText(String.fromCodePoint(point))).toBe(`\\u{${point.toString(16)}}`);
  }
});

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
);

test("no text keeps a forbidden code point, and escaping twice changes nothing", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = toTerminalText(text);
      expect([...shown].filter((character) => isForbidden(character.codePointAt(0) ?? 0))).toEqual([]);
      expect(toTerminalText(shown)).toBe(shown);
      expect(toTerminalLine(text)).not.toMatch(/[\n\t]/);
      expect(shown.split(/[\n\t]/)).toHaveLength(text.split(/[\n\t]/).length);
    }),
    { numRuns: 1_000 },
  );
});
