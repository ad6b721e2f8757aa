import { expect, test } from "vitest";
import { mayBeIn, queryText } from "./query-text.ts";

test("embeds the typed query without operators and excluded words", () => {
  expect(queryText('What is "net revenue" in Q3? type:pdf in:/reports -draft -"old plan"')).toBe(
    "What is net revenue in Q3?",
  );
  expect(queryText("type:pdf -draft")).toBe("");
  expect(queryText("word ".repeat(10_000)).length).toBeLessThanOrEqual(2_000);
});

test.for([
  ["How many points did the defence give up?", true],
  ["revenue forecast", true],
  ["the role of IFN-γ in the immune response of mice", true],
  ["Wie viele Punkte gab die Verteidigung der Panthers ab?", false],
  ["Odun wo ni wọn ṣe idije Olympiiki akọkọ?", false],
  ["東京都の人口", false],
  ["كم عدد النقاط", false],
] as const)("%s: in English, %s", ([text, isEnglish]) => {
  expect(mayBeIn(text, ["en"])).toBe(isEnglish);
});

test("a model of several languages is used for each of them", () => {
  expect(mayBeIn("Wie viele Punkte gab die Verteidigung ab?", ["en", "de"])).toBe(true);
  expect(mayBeIn("Combien de points la défense a-t-elle concédés?", ["en", "de"])).toBe(false);
});
