import fc from "fast-check";
import { expect, it } from "vitest";
import { parseQuery } from "../query/parse-query.ts";
import { makeSnippet, type Snippet } from "./snippet.ts";

const shown = ({ pieces }: Snippet) => pieces.map(({ text, match }) => (match ? `[${text}]` : text)).join("");
const matched = ({ pieces }: Snippet) => pieces.filter(({ match }) => match).map(({ text }) => text);
const filler = (text: string) => text.repeat(40);

it.each([
  [
    "English",
    filler("Other words. "),
    "The annual reports of companies",
    "company report",
    ["reports", "companies"],
  ],
  [
    "German",
    filler("Nicht das und auch nicht dieses. "),
    "Die Häuser der Stadt",
    "wie ist das Haus",
    ["Häuser"],
  ],
  ["Russian", filler("Другие слова. "), "с книгами", "книга", ["книгами"]],
  ["Arabic", filler("كلمات أخرى. "), "والمدرسة", "مدرسة", ["والمدرسة"]],
  ["Japanese", filler("これは長い文章です。"), "東京都の予算", "東京都 予算", ["東京都", "予算"]],
  ["Japanese, half width", filler("これは長い文章です。"), "ｶﾞｲﾄﾞの本", "ガイド", ["ｶﾞｲﾄﾞ"]],
  ["Thai", filler("ประเทศ"), "น้ำตาลทราย", "น้ำตาล", ["น้ำตาล"]],
  ["Korean", filler("다른 말. "), "학교에서", "학교", ["학교에서"]],
  ["Hindi, an unfinished word", filler("और शब्द. "), "किताबें", "किता", ["किताबें"]],
  ["an unfinished word", filler("Other words. "), "the quarterly figures", "quart", ["quarterly"]],
])("shows the matches: %s", (_what, before, text, typed, expected) => {
  const whole = `${before}${text}. ${before}`;
  const snippet = makeSnippet(whole, parseQuery(typed));
  expect(matched(snippet)).toEqual(expected);
  expect(snippet.end - snippet.start).toBeLessThanOrEqual(200);
});

it("takes the window with the most different words, not the first match", () => {
  const text = `budget budget budget ${filler("nothing here. ")} the budget of the parliament`;
  expect(shown(makeSnippet(text, parseQuery("budget parliament ")))).toContain(
    "[budget] of the [parliament]",
  );
});

it("does not mark a single character of a longer typed word", () => {
  expect(matched(makeSnippet("京阪と東京都", parseQuery("東京都")))).toEqual(["東京都"]);
  expect(matched(makeSnippet("京阪と東京都", parseQuery("京")))).toEqual(["京", "京"]);
});

it("begins and ends with whole words", () => {
  const text = `${filler("alphabet ")}needle ${filler("alphabet ")}`;
  const snippet = makeSnippet(text, parseQuery("needle "));
  expect(shown(snippet)).toMatch(/^alphabet .*\[needle\].* alphabet$/);
});

it("shows the beginning if nothing matches", () => {
  expect(makeSnippet("some text", parseQuery("zebra "))).toEqual({
    start: 0,
    end: 9,
    pieces: [{ text: "some text", match: false }],
  });
  expect(makeSnippet("", parseQuery("zebra "))).toEqual({ start: 0, end: 0, pieces: [] });
});

it("is always an exact piece of the text", () => {
  const unit = fc.constantFrom(
    "a",
    "needle",
    " ",
    "\n",
    "😀",
    "東",
    "京",
    "ก้",
    "ำ",
    "é",
    "e\u0301",
    "\ud800",
    "ｶﾞ",
    "'s",
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 400 }), fc.integer({ min: 1, max: 300 }), (text, width) => {
      const { start, end, pieces } = makeSnippet(text, parseQuery("needle 東京 ガ a "), width);
      expect(pieces.map((piece) => piece.text).join("")).toBe(text.slice(start, end));
      expect(pieces.every((piece) => piece.text !== "")).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

it("reads a bounded part of a long text", () => {
  const { pieces } = makeSnippet(`${"x ".repeat(150_000)}needle`, parseQuery("needle "));
  expect(pieces.some(({ match }) => match)).toBe(false);
});
