import { expect, test } from "vitest";
import { missingFigures } from "./missing-figures.ts";
import { atLeast, atMost } from "./report.ts";

const rows = [{ target: "svc", "files/s": 120 }];

test("a report with finite figures misses nothing", () => {
  const report = { tables: [{ title: "Files", rows }], bars: [atLeast("files a second", 120, 100)] };
  expect(missingFigures(report)).toEqual([]);
});

test("a report without tables has no figures", () => {
  expect(missingFigures({ tables: [], bars: [] })).toEqual(["There is no table."]);
});

test("a table without rows, or with words only, has no figures", () => {
  const tables = [
    { title: "Files", rows },
    { title: "Empty", rows: [] },
    { title: "Words", rows: [{ target: "svc" }] },
  ];
  expect(missingFigures({ tables, bars: [] })).toEqual([
    'The table "Empty" has no figures.',
    'The table "Words" has no figures.',
  ]);
});

test("a figure that is not a finite number is named, in a table and in a bar", () => {
  const report = {
    tables: [{ title: "Files", rows: [...rows, { target: "bare", "files/s": Number.NaN }] }],
    bars: [atMost("ratio", Number.POSITIVE_INFINITY, 2)],
  };
  expect(missingFigures(report)).toEqual([
    '"files/s" in the table "Files" is NaN.',
    'The bar "ratio, at most" is Infinity.',
  ]);
});
