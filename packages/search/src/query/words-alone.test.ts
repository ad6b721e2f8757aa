import { expect, it } from "vitest";
import { parseQuery } from "./parse-query.ts";
import { wordsAlone } from "./words-alone.ts";

const judge = (query: string, isTyping = false) => wordsAlone(query, parseQuery(query), { isTyping });

it.each([
  ["PLT-3699", "literal"],
  ["2026-03-26", "literal"],
  ["26.03.2026", "literal"],
  ["26 March 2026", "literal"],
  ["März 2026", "literal"],
  ["26 Mar 2026", "literal"],
  ["March 26, 2026", "literal"],
  ["26 March, 2026", "literal"],
  ["1234", "literal"],
  ["+49 30 1234567", "literal"],
  ["mia.wong@example.com", "literal"],
  ["https://example.com/a", "literal"],
  ["192.168.1.17", "literal"],
  ["/reports/q3", "literal"],
  ["/reports", "literal"],
  ["get_user_id", "literal"],
  ["invoice.pdf in:/reports", "literal"],
  ["2026 type:pdf", "literal"],
  ["2026 -budget", "literal"],
  ['"annual report"', "quoted"],
  ['budget "annual report"', "quoted"],
  ["march", undefined],
  ["budget of 2026", undefined],
  ["invoice PLT-3699", undefined],
  ["state-of-the-art", undefined],
  ["U.S", "literal"],
  ["how do I request leave?", undefined],
  ['why does the door of the "meeting room" on the third floor not open', undefined],
  ["type:pdf", undefined],
  ["budget -2026", undefined],
] as const)("%s: %s", (query, expected) => {
  expect(judge(query)).toBe(expected);
});

it("does not take a word for finished while somebody types it", () => {
  expect(judge("budget", true)).toBe("unfinished");
  expect(judge("budget ", true)).toBeUndefined();
  expect(judge("2026-03", true)).toBe("unfinished");
});
