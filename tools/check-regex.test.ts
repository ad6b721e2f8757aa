import { expect, test } from "vitest";
import { findExpressions } from "./regex/find-expressions.ts";
import { findSlowExpressions } from "./regex/find-slow-expressions.ts";

const check = (content: string, exceptions: { file: string; written: string; reason: string }[] = []) =>
  findSlowExpressions(findExpressions("planted.ts", content), exceptions);

test.for([
  ["zeros cut at the end", "text.replace(/0+$/, '')"],
  ["nested repetitions", "const name = /^(\\w+\\s?)*$/;"],
  ["text given to RegExp", 'new RegExp("(a|a)*b")'],
  ["a template of constants", `const word = String.raw\`\\s*\`; new RegExp(\`^\${word}\${word}$\`)`],
  ["parts that are joined", 'RegExp(["x", "0+$"].join("|"), "g")'],
  ["set notation, which recheck does not know", "/[\\p{L}--[a-z]]+$/v"],
])("finds expressions that take more than linear time: %s", async ([, content]) => {
  expect(await check(`\n${content}`)).toEqual([
    expect.stringMatching(/^planted\.ts:2: .* takes (2nd degree polynomial|exponential)/),
  ]);
});

test.for([
  ["/^[a-z]+-\\d{1,9}$/"],
  ["/[\\p{Control}--[\\t\\n]]/gv"],
  ['new RegExp("^a+$", "u")'],
  ["const half = a / b / c;"],
  ['const text = "/0+$/";'],
])("passes %s", async ([content = ""]) => {
  expect(await check(content)).toEqual([]);
});

test("does not pass expressions that it cannot judge", async () => {
  const found = await check("const match = (text: string) => new RegExp(text);\nnew RegExp(start + end);");
  expect(found).toEqual([
    "planted.ts:1: new RegExp(text) is not constant, so it cannot be judged",
    "planted.ts:2: new RegExp(start + end) is not constant, so it cannot be judged",
  ]);
});

test("accepts an exception, and refuses one that nothing needs", async () => {
  const slow = { file: "planted.ts", written: "/0+$/", reason: "at most 100 characters" };
  expect(await check("/0+$/", [slow])).toEqual([]);
  expect(await check("/0$/", [slow])).toEqual(["planted.ts: /0+$/ needs no exception any more"]);
});
