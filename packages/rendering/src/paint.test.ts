import { styles } from "@svc/protocol/styles";
import fc from "fast-check";
import { expect, test } from "vitest";
import { palettes } from "../testing/palettes.ts";
import { codes, paint } from "./paint.ts";

const escapeByte = "\u001b";
/** Stands for the start of a style; no text of the test has it. */
const begins = "<style begins>";
const control = /(?!\t)\p{Control}/u;

test("a style becomes its escape sequence, and ends before the line does", () => {
  expect(paint([["bad", "gone\nforever"], " x"], true)).toBe(
    "\u001b[1;91mgone\u001b[0m\n\u001b[1;91mforever\u001b[0m x",
  );
});

test("without colours, and in a style that nobody knows, text is plain", () => {
  expect(paint([["bad", "gone"]], false)).toBe("gone");
  expect(
    paint(
      [
        ["blink", "a"],
        ["constructor", "b"],
        ["__proto__", "c"],
      ],
      true,
    ),
  ).toBe("abc");
});

test("whatever a text contains, the only control bytes are our own, and each line ends reset", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      "\u001b[31m",
      "\u001b]0;x\u0007",
      "\u009b2J",
      "\u202e",
      "\u001b[0m",
      '["bad","x"]',
      "\r",
      "\u001b",
    ),
  );
  const run = fc.oneof(hostile, fc.tuple(fc.oneof(fc.constantFrom(...styles), hostile), hostile));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
      const painted = paint(runs, true);
      const ours = Object.values(codes).map((code) => `${escapeByte}[${code}m`);
      for (const line of painted.split("\n")) {
        const rest = ours
          .reduce((text, start) => text.split(start).join(begins), line)
          .split(`${escapeByte}[0m`);
        // Every style that begins in a line ends in it, before the next one begins.
        expect(rest.slice(0, -1).every((part) => part.split(begins).length === 2)).toBe(true);
        expect(rest.at(-1)).not.toContain(begins);
        expect([...rest.join("")].filter((character) => control.test(character))).toEqual([]);
      }
    }),
    { numRuns: 10_000 },
  );
});

/** WCAG: (lighter + 0.05) / (darker + 0.05). */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The place in the palette of a code's colour: 30 to 37 are the first eight, 90 to 97 the bright ones. */
function colourOf(code: string): number | undefined {
  const number = code
    .split(";")
    .map(Number)
    .find((part) => part >= 30);
  return number === undefined ? undefined : number >= 90 ? number - 82 : number - 30;
}

test.each(palettes)("every style is legible in $name", ({ background, colours }) => {
  for (const [style, code] of Object.entries(codes)) {
    const colour = colourOf(code);
    if (colour !== undefined) expect(contrast(colours[colour] ?? "", background), style).toBeGreaterThan(2.9);
  }
});
