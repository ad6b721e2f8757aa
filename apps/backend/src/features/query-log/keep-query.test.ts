import { expect, test } from "vitest";
import { isSameTyping } from "./keep-query.ts";

const at = (seconds: number) => new Date(1_000 * seconds);

test.for([
  ["inv", "invoice", 3, true],
  ["invoice", "invoice march", 3, true],
  ["invoicx", "invoic", 1, true],
  ["invoice", "invoice", 1, true],
  ["invoice march", "invoice", 1, false],
  ["invoice", "report", 1, false],
  ["inv", "invoice", 11, false],
] as const)("%s, then %s after %i s is one: %s", ([before, after, seconds, isSame]) => {
  const typed = isSameTyping({ normalised: before, at: at(0) }, { normalised: after, at: at(seconds) });
  expect(typed).toBe(isSame);
});
