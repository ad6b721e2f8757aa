import { expect, test } from "vitest";
import { Size } from "./size.ts";

test.for([
  ["0", 0],
  ["500", 500],
  ["500B", 500],
  ["200kB", 200_000],
  ["1.5 MB", 1_500_000],
  ["2GiB", 2 * 1_024 ** 3],
  ["3k", 3_000],
  ["1tib", 1_024 ** 4],
] as const)("%s is %s bytes", ([text, bytes]) => {
  expect(Size.parse(text)).toBe(bytes);
});

test.for(["", "big", "-1", "1e3", "1.5.5", "10 XB", "10iB", "999999999999999TB", "1_000"])(
  "`%s` is not a size",
  (text) => {
    expect(Size.safeParse(text).error?.issues[0]?.message).toContain("must be a size such as");
  },
);
