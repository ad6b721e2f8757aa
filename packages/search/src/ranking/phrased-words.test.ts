import { expect, test } from "vitest";
import { parseQuery } from "../query/parse-query.ts";
import { isImplied, mostWithEach, mostWithPhrase } from "./phrased-words.ts";

/** The words that every document with the phrase has, by their first form. */
function impliedBy(typed: string, circumstances?: Parameters<typeof parseQuery>[1]): string[] {
  const { words, phrases } = parseQuery(typed, circumstances);
  const implied = words.filter((word) => phrases.some((phrase) => isImplied(word, phrase)));
  return implied.map(({ body, name }) => body[0] ?? name[0]?.join(" ") ?? "");
}

test.for([
  ['"annual report"', ["annual", "report"]],
  ['"annual report" budget', ["annual", "report"]],
  ['"annual report" "budget plan"', ["annual", "report", "budget", "plan"]],
  ["annual report", []],
  ["annual OR report", ["annual"]],
  ['"annual report" OR budget', []],
  ['"annual report" OR "annual budget"', ["annual"]],
  ['"AnnualReport draft"', ["annualreport", "draft"]],
  ['"請求書"', ["請求", "求書"]],
] as const)("a document with %s has these words: %j", ([typed, words]) => {
  expect(impliedBy(typed)).toEqual(words);
});

test("a word that is being typed is implied by its beginning", () => {
  expect(impliedBy('"annual rep', { isTyping: true })).toEqual(["annual", "rep"]);
});

test("a phrase has no more documents than its rarest word, either of two no more than both together", () => {
  const most = (typed: string, frequencies: number[]) => {
    const parsed = parseQuery(typed);
    return parsed.phrases.map((phrase) => mostWithPhrase(phrase, parsed, frequencies));
  };
  expect(most('"annual report" budget', [700, 40, 2])).toEqual([40]);
  expect(most('"annual report" OR "annual budget"', [700, 40, 2])).toEqual([42]);
});

test("a joined token has no more documents than its rarest part, whatever was counted", () => {
  const parsed = parseQuery("PLT-3699 budget");
  expect(parsed.words.map(({ joined, body }) => joined?.typed ?? body[0])).toEqual([
    "PLT-3699",
    "plt",
    "3699",
    "budget",
  ]);
  expect(mostWithEach(parsed, [3, 900, 60, 500], 1_000)).toEqual([60, 900, 60, 500]);
});
