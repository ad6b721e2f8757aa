import fc from "fast-check";
import { expect, it } from "vitest";
import { parseQuery } from "../query/parse-query.ts";
import { makeSnippet, type Snippet } from "./snippet.ts";

const shown = ({ pieces }: Snippet) => pieces.map(({ text, match }) => (match ? `[${text}]` : text)).join("");
const matched = ({ pieces }: Snippet) => pieces.filter(({ match }) => match).map(({ text }) => text);
const filler = (text: string) => text.repeat(40);
const whole = (text: string) => ({ text, start: 0, hasMore: false });

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
  const snippet = makeSnippet(whole(`${before}${text}. ${before}`), parseQuery(typed, { isTyping: true }));
  expect(matched(snippet)).toEqual(expected);
  expect(snippet.end - snippet.start).toBeLessThanOrEqual(200);
});

it("takes the window with the most different words, not the first match", () => {
  const text = `budget budget budget ${filler("nothing here. ")} the budget of the parliament`;
  expect(shown(makeSnippet(whole(text), parseQuery("budget parliament ")))).toContain(
    "[budget] of the [parliament]",
  );
});

it("does not mark a single character of a longer typed word", () => {
  expect(matched(makeSnippet(whole("京阪と東京都"), parseQuery("東京都")))).toEqual(["東京都"]);
  expect(matched(makeSnippet(whole("京阪と東京都"), parseQuery("京")))).toEqual(["京", "京"]);
});

it("begins and ends with whole words", () => {
  const text = `${filler("alphabet ")}needle ${filler("alphabet ")}`;
  expect(shown(makeSnippet(whole(text), parseQuery("needle ")))).toMatch(
    /^alphabet .*\[needle\].* alphabet$/,
  );
});

it("leaves out the words that the excerpt cuts at its ends", () => {
  const excerpt = { text: "ebudget needle and a budget", start: 7, hasMore: true };
  expect(shown(makeSnippet(excerpt, parseQuery("needle budget ")))).toBe("[needle] and a");
  expect(shown(makeSnippet({ ...excerpt, start: 0, hasMore: false }, parseQuery("needle budget ")))).toBe(
    "ebudget [needle] and a [budget]",
  );
});

it("shows the beginning if nothing matches", () => {
  expect(makeSnippet(whole("some text"), parseQuery("zebra "))).toEqual({
    start: 0,
    end: 9,
    pieces: [{ text: "some text", match: false }],
    words: 0,
  });
  expect(makeSnippet(whole(""), parseQuery("zebra "))).toEqual({ start: 0, end: 0, pieces: [], words: 0 });
});

it("is always an exact piece of the text, and never splits a character", () => {
  const unit = fc.constantFrom(
    ...[
      "a",
      "needle",
      " ",
      "\n",
      "\r\n",
      "😀",
      "👍🏽",
      "🏽",
      "👩‍👩‍👧",
      "🇩🇪",
      "東",
      "京",
      "ก้",
      "ำ",
      "é",
      "e\u0301",
    ],
    ...["\u0301", "\u200d", "\ud800", "ｶﾞ", "'s", "क्ष", "ក្រ"],
  );
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 400 }),
      fc.integer({ min: 1, max: 300 }),
      fc.boolean(),
      (text, width, isCut) => {
        const excerpt = { text, start: isCut ? 5 : 0, hasMore: isCut };
        const { start, end, pieces } = makeSnippet(excerpt, parseQuery("needle 東京 ガ a ក្រ "), width);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text.slice(start, end));
        expect(pieces.every((piece) => piece.text !== "")).toBe(true);
        const borders = new Set([
          text.length,
          ...[...new Intl.Segmenter().segment(text)].map(({ index }) => index),
        ]);
        let at = start;
        for (const piece of pieces) {
          expect(borders).toContain(at);
          at += piece.text.length;
        }
        expect(borders).toContain(at);
      },
    ),
    { numRuns: 1000 },
  );
});
