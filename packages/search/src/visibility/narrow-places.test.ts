import { expect, test } from "vitest";
import { narrowPlaces } from "./narrow-places.ts";

/** By path: the folders above it. */
const above = new Map(
  ["sales", "sales/reports", "sales/reports/q3", "marketing", "marketing/reports", "marketing/plans"].map(
    (path) => {
      const parts = path.split("/");
      return [path, new Set(parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/")))];
    },
  ),
);

test.for([
  [
    [["sales"], ["marketing"]],
    ["sales", "marketing"],
  ],
  [[["sales/reports"], ["sales/reports/q3"]], ["sales/reports/q3"]],
  // `in:marketing in:/reports`, whichever comes first.
  [[["marketing"], ["sales/reports", "marketing/reports"]], ["marketing/reports"]],
  [[["sales/reports", "marketing/reports"], ["marketing"]], ["marketing/reports"]],
  // `in:sales in:marketing in:/reports`: the reports of either.
  [
    [["sales"], ["marketing"], ["sales/reports", "marketing/reports"]],
    ["sales/reports", "marketing/reports"],
  ],
  // Two places within a third are alternatives.
  [
    [["marketing"], ["marketing/reports"], ["marketing/plans"]],
    ["marketing/reports", "marketing/plans"],
  ],
  // `in:/reports in:sales:/reports`
  [[["sales/reports", "marketing/reports"], ["sales/reports"]], ["sales/reports"]],
  [[["sales"], ["sales"]], ["sales"]],
  [[], []],
] as const)("%j are %j", ([values, expected]) => {
  expect(
    narrowPlaces(
      values.map((value) => new Set(value)),
      above,
    ),
  ).toEqual(expected);
});
