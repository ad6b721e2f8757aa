import { expect, test } from "vitest";
import { offenders } from "./offenders.ts";

test("names everything that breaks a rule, and how", async () => {
  const numbers = [
    ["one", 1],
    ["two", 2],
    ["three", 3],
  ] as const;
  expect(await offenders(numbers, (number) => expect(number % 2).toBe(1))).toEqual([
    expect.stringMatching(/^two: expected \+?0 to be 1/),
  ]);
  expect(
    await offenders(numbers, async (number) => {
      if (number > 1) throw new Error("is large");
    }),
  ).toEqual(["two: is large", "three: is large"]);
});
