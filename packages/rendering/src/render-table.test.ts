import { Column } from "@svc/protocol/exchange";
import type { Run } from "@svc/protocol/styles";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../testing/hostile-text.ts";
import { layOutTable, renderTable } from "./render-table.ts";
import { joinLines, plainText } from "./styled-text.ts";
import { widthOf } from "./width.ts";

const columns = [
  { field: "name", label: "Name", priority: 9 },
  { field: "size", label: "Size", align: "right", priority: 5 },
  { field: "id", label: "Id", priority: 1 },
].map((column) => Column.parse(column));
const rows = [
  { name: "a.md", size: 5, id: "file_1" },
  { name: "report.pdf", size: 12345, id: "file_2" },
];

test("aligns its columns, numbers to the right", () => {
  expect(renderTable(rows, columns, undefined)).toBe(`\
NAME         SIZE  ID
a.md            5  file_1
report.pdf  12345  file_2`);
});

test("measures display width: wide characters, emoji, combining marks", () => {
  const names = ["東京都庁舎", "📁 Fotos", "cafe\u0301", "한글", "ｶﾅ"];
  const table = renderTable(
    names.map((name) => ({ name, size: 1, id: "x" })),
    columns,
    undefined,
  );
  const widths = table.split("\n").map((line) => widthOf(line.slice(0, line.lastIndexOf("  "))));
  expect(new Set(widths.slice(1))).toEqual(new Set([10 + 2 + 4]));
});

test.each([
  [25, ["Name", "Size", "Id"], []],
  [24, ["Name", "Size"], ["Id"]],
  [17, ["Name", "Size"], ["Id"]],
  [16, ["Name"], ["Size", "Id"]],
  [1, ["Name"], ["Size", "Id"]],
])("a terminal of %i columns drops the lowest priority first and says so", (width, shown, dropped) => {
  const lines = renderTable(rows, columns, width).split("\n");
  expect(lines[0]?.split(/ +/)).toEqual(shown.map((label) => label.toUpperCase()));
  if (dropped.length === 0) expect(lines).toHaveLength(3);
  else expect(lines.at(-1)).toBe(`(not shown, terminal too narrow: ${dropped.join(", ")})`);
});

test("of two columns with the same priority the right one is dropped first", () => {
  const equal = columns.map((column) => ({ ...column, priority: 0 }));
  expect(renderTable(rows, equal, 20)).toContain("(not shown, terminal too narrow: Id)");
});

test("nothing in a cell breaks its line or controls the terminal", () => {
  const evil = [{ name: "a\nb\tc\r\u001b[31m\u202e\u200b", size: 1, id: "x" }];
  expect(renderTable(evil, columns, undefined).split("\n")[1]).toBe(
    "a\\nb\\tc\\u{d}\\u{1b}[31m\\u{202e}\\u{200b}     1  x",
  );
});

test("nor does anything in a heading, or in the name of a dropped column", () => {
  const hostile = ["a", "b"].map((field) => Column.parse({ field, label: `${field}\u001b[2J\n` }));
  expect(renderTable([{ a: 1, b: 2 }], hostile, 15)).toBe(
    "A\\u{1b}[2J\\n\n1\n(not shown, terminal too narrow: b\\u{1b}[2J\\n)",
  );
});

test.each([
  [undefined, "-"],
  [null, "-"],
  ["", "-"],
  [[], "-"],
  [0, "0"],
  [false, "false"],
  [["a", "b"], "a, b"],
  [["a\u001b", null], "a\\u{1b}, -"],
  [[{ a: 1 }], '{"a":1}'],
  [{ a: 1 }, '{"a":1}'],
  ["2026-03-04T05:06:07.123Z", "2026-03-04T05:06:07.123Z"],
  ["due 2026-03-04T05:06:07Z", "due 2026-03-04T05:06:07Z"],
])("%j is shown as %s", (value, text) => {
  const [column] = columns;
  if (!column) throw new Error("there is one");
  expect(renderTable([{ name: value }], [column], undefined).split("\n")[1]).toBe(text);
});

test("accepts more rows than a function accepts arguments", () => {
  const many = Array.from({ length: 200_000 }, () => ({ name: "x" }));
  expect(renderTable(many, columns.slice(0, 1), 80).split("\n")).toHaveLength(200_001);
});

const cutting = (width: number, names = ["a".repeat(30), "b"]) =>
  plainText(
    joinLines(
      layOutTable(
        names.map((name, index) => ({ name, size: index, id: `file_${index}` })),
        columns,
        { columns: width, cuts: true },
      ).lines,
    ),
  ).split("\n");

test("long cells are cut before a column is dropped, and then no more than needed", () => {
  expect(cutting(43)[0]).toBe(`${"a".repeat(28)}…     0  file_0`);
  expect(cutting(30)[0]).toBe(`${"a".repeat(15)}…     0  file_0`);
  expect(cutting(29)[0]).toBe(`${"a".repeat(22)}…     0`);
});

test("a cut cell keeps its style, ends with … and fills its cells, also with wide characters", () => {
  const { lines } = layOutTable([{ name: "東京都庁舎".repeat(5), size: 1, id: "x" }], columns, {
    columns: 30,
    cuts: true,
  });
  expect(widthOf(plainText(lines[0] ?? []))).toBe(29);
  expect(plainText(lines[0] ?? [])).toMatch(/^東京都庁舎東京都庁… +1 {2}x$/);
  const styled = columns.map((column) => ({
    ...column,
    cell: () => ["folder", "a".repeat(50)] as [string, string],
  }));
  const [first] = layOutTable([{}], styled.slice(0, 1), { columns: 10, cuts: true }).lines;
  expect(first).toEqual([["folder", `${"a".repeat(9)}…`]]);
});

test.each([1, 2, 3, 5])("a terminal of %i columns shows a table too", (width) => {
  expect(cutting(width).every((line) => widthOf(line) <= Math.max(2, width))).toBe(true);
});

test("only a cell with a style is more than plain text: a long list stays a few runs", () => {
  const [name] = columns;
  if (!name) throw new Error("there is one");
  const cell = ({ name: text, kind }: Record<string, unknown>): Run =>
    kind === "folder" ? ["folder", `${text}/`] : String(text);
  const names = ["a", "b", "c"].map((text, index) => ({
    name: text,
    kind: index === 1 ? "folder" : "file",
    size: index,
    id: `id_${index}`,
  }));
  const { heading, lines } = layOutTable(names, [{ ...name, cell }, ...columns.slice(1)], {});
  expect(lines).toEqual(["a        0  id_0", [["folder", "b/"], "       1  id_1"], "c        2  id_2"]);
  expect(joinLines([heading, ...lines])).toEqual([
    ["head", "NAME"],
    "  ",
    ["head", "SIZE"],
    "  ",
    ["head", "ID"],
    "\na        0  id_0\n",
    ["folder", "b/"],
    "       1  id_1\nc        2  id_2",
  ]);
});

test("a style changes nothing but the style, whatever the cells hold and wherever they are cut", () => {
  const text = fc.oneof(fc.string(), hostileText, fc.constantFrom("", " ", "a  ", "急須の写真", "\u3000"));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(undefined, 1, 8, 20, 30, 60),
      fc.boolean(),
      (cells, width, cuts) => {
        const rows = cells.map(([name, size, id]) => ({ name, size, id }));
        const laidOut = (style: (text: string) => Run) =>
          layOutTable(
            rows,
            columns.map((column) => ({ ...column, cell: (row) => style(String(row[column.field])) })),
            { columns: width, cuts },
          );
        const [plain, styled] = [laidOut((text) => text), laidOut((text) => ["folder", text])];
        expect(styled.widths).toEqual(plain.widths);
        // A style at the end keeps its spaces.
        const trimmed = (lines: typeof plain.lines) => lines.map((line) => plainText(line).trimEnd());
        expect(trimmed(styled.lines)).toEqual(trimmed(plain.lines));
        expect(plain.lines.every((line) => typeof line === "string")).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
