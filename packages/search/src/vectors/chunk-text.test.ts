import { growth, mostGrowth } from "@svc/testing/growth";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ChunkSize, chunkText } from "./chunk-text.ts";

/** One token per word, and per ten characters of a long word. */
const measure = (text: string) =>
  (text.match(/\S+/gu) ?? []).reduce((sum, word) => sum + Math.ceil(word.length / 10), 0);
const size: ChunkSize = { measure, most: 12, overlap: 3 };

const chunksOf = (text: string, options: Partial<ChunkSize> = {}) =>
  chunkText(text, { ...size, ...options }).map(({ start, end }) => text.slice(start, end));

test("a text that fits is one chunk, without the spaces around it", () => {
  expect(chunksOf("  one two three\n\nfour  ")).toEqual(["one two three\n\nfour"]);
  expect(chunksOf(" \n\n ")).toEqual([]);
  expect(chunksOf("")).toEqual([]);
});

test("paragraphs stay whole if they fit", () => {
  const text = "a b c d e f g h\n\ni j k l m n o\n\np q";
  expect(chunksOf(text)).toEqual(["a b c d e f g h", "i j k l m n o\n\np q"]);
});

test("a paragraph that is too long is cut between sentences, and a chunk repeats the last sentence of the previous one", () => {
  const text = "A b c d e. F g h i j. K l. M n o p q.";
  expect(chunksOf(text)).toEqual(["A b c d e. F g h i j. K l.", "K l. M n o p q."]);
  expect(chunksOf("一二三四五六七八九十一二三四五。六七八九十一二三四五。", { most: 2, overlap: 0 })).toEqual(
    ["一二三四五六七八九十一二三四五。", "六七八九十一二三四五。"],
  );
});

test("a heading begins a chunk, which repeats nothing from before it", () => {
  const text = "# One\na b c d e\n# Two\nf g h";
  expect(chunksOf(text)).toEqual(["# One\na b c d e", "# Two\nf g h"]);
});

test("text without spaces is cut anywhere, but not within a character", () => {
  const chunks = chunksOf("😀".repeat(1_000));
  expect(chunks.join("")).toBe("😀".repeat(1_000));
  expect(chunks.every((chunk) => chunk.isWellFormed())).toBe(true);
});

test("a change in one section does not change the chunks of the next", () => {
  const section = (name: string, words: number) =>
    `# ${name}\n\n${Array.from({ length: words }, (_, index) => `${name}${index}.`).join(" ")}\n\n`;
  const before = chunksOf(section("one", 50) + section("two", 50));
  const after = chunksOf(section("one", 57) + section("two", 50));
  const ofTwo = (chunks: string[]) => chunks.filter((chunk) => chunk.includes("two"));
  expect(ofTwo(after)).toEqual(ofTwo(before));
  expect(ofTwo(before).length).toBeGreaterThan(3);
});

test("every character except spaces is in a chunk, chunks are in order, and none is too large", () => {
  const piece = fc.oneof(
    fc.constantFrom(" ", "\n", "\n\n", "# ", ". ", "。", "? ", "word", "京都", "😀", "\ud83d"),
    fc.string({ unit: "binary", maxLength: 40 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 200 }),
      fc.integer({ min: 1, max: 30 }),
      fc.nat(10),
      (pieces, most, overlap) => {
        const text = pieces.join("");
        const chunks = chunkText(text, { measure, most, overlap });
        let covered = 0;
        let lastStart = -1;
        for (const { start, end } of chunks) {
          expect(start).toBeGreaterThan(lastStart);
          expect(end).toBeGreaterThan(covered);
          expect(text.slice(covered, start).trim()).toBe("");
          expect(measure(text.slice(start, end))).toBeLessThanOrEqual(most);
          lastStart = start;
          covered = end;
        }
        expect(text.slice(covered).trim()).toBe("");
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each(["x", "word ", "a. ", "\n", "# h\n"])("a long text of %j takes linear time", (unit) => {
  const chunk = (size: number) => chunkText(unit.repeat(size), { measure, most: 400, overlap: 50 });
  expect(growth(20_000, chunk)).toBeLessThan(mostGrowth);
});
