import { expect, test } from "vitest";
import { parseQuery } from "./parse-query.ts";
import { withCorrections } from "./with-corrections.ts";

function correctable(typed: string): string[] {
  return parseQuery(`${typed} `).words.flatMap(({ spelling }) => spelling ?? []);
}

test.each(["recieve", "Recieve,", "(recieve)", "recieve?"])("%s may have a typo", (typed) => {
  expect(correctable(typed)).toEqual(["recieve"]);
});

test.each([
  ...[
    '"recieve"',
    "-recieve",
    "type:recieve",
    "in:recieve",
    "PLTX",
    "PLT-3699",
    "abc1",
    "12345",
    "cat",
    "the",
  ],
  ...[
    "anna@exmaple.com",
    "@recieve",
    "192.168.1.17",
    "/reprots/q3",
    "budgett.xlsx",
    "AnnualReprot",
    "www.exmaple.com",
  ],
  ...["請求書", "recieve-reciept", "a_recieve", "x".repeat(21)],
])("%s is never corrected", (typed) => {
  expect(correctable(typed)).toEqual([]);
});

test("corrections become forms of one word, and the rest of the query stays", () => {
  const parsed = withCorrections(parseQuery("annual budgett 2027 "), [
    { word: "budgett", also: ["budget", "budgets"] },
  ]);
  expect(parsed.words).toMatchObject([
    { body: ["annual"] },
    { body: ["budget"], name: [["budget"], ["budgets"], ["budget"]], count: 1, insteadOf: "budgett" },
    { body: ["2027"] },
  ]);
});
