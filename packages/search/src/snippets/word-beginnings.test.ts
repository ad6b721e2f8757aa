import { expect, it } from "vitest";
import { parseQuery } from "../query/parse-query.ts";
import { beginningsPattern, wordBeginnings } from "./word-beginnings.ts";

const lettersOf = (query: string) => wordBeginnings(parseQuery(query)).map(({ letters }) => letters);

it.each([
  ["companies ", ["compan"], "what company and companies share"],
  ["study ", ["stud"], "not studi, which study does not begin with"],
  ["studies ", ["stud"], "the same from the other side"],
  ["making ", ["mak"], "not make"],
  ["die Häuser ", ["die", "haeuser", "hauser", "haus"], "folded, as the text is compared, and spelled out"],
  ["Straße ", ["strass", "stras"], "ß is one letter in a text"],
  ["東京都", ["東京", "京都"], "pairs, where there are no spaces"],
  ["the budget ", ["budget"], "no stop words if there is another word"],
  ["the who ", ["the", "who"], "stop words if there is nothing else"],
  ["budget budgets ", ["budget"], "each once"],
])("looks for %s by %j: %s", (query, letters) => {
  expect(lettersOf(query)).toEqual(letters);
});

it("looks for short words as a whole, and for the start of an unfinished one", () => {
  expect(beginningsPattern(wordBeginnings(parseQuery("t ")))?.atStart).toMatch(
    /\(\[\^\[:alnum:\]\]\|\$\)\)$/u,
  );
  expect(beginningsPattern(wordBeginnings(parseQuery("t", { isTyping: true })))?.atStart).not.toContain("|$");
});

it("is short, whatever is typed", () => {
  const beginnings = wordBeginnings(parseQuery(`${"x".repeat(5_000)} ${"ab cd ef ".repeat(500)}`));
  expect(beginnings.length).toBeLessThanOrEqual(40);
  expect(beginnings.every(({ letters }) => letters.length <= 20)).toBe(true);
  expect(beginningsPattern([])).toBeUndefined();
});
