import type { Column } from "@svc/protocol/exchange";
import { expect, test } from "vitest";
import { PagedTable } from "./paged-table.ts";
import { renderTable } from "./render-table.ts";
import { plainText } from "./styled-text.ts";

const columns: Column[] = [
  { field: "name", label: "Name", align: "left", priority: 2 },
  { field: "size", label: "Size", align: "right", priority: 1 },
];
const pagedTable = (all: readonly Column[], terminalColumns?: number, widths?: readonly number[]) => {
  const table = new PagedTable(all, { columns: terminalColumns, widths });
  return { table, add: (rows: Parameters<PagedTable["add"]>[0]) => plainText(table.add(rows)) };
};
const first = [{ name: "急須.jpg", size: 7 }];
const later = [{ name: "a much longer name", size: 12_345 }];

test("the first page looks like any table", () => {
  expect(pagedTable(columns, 40).add(first)).toBe(renderTable(first, columns, 40));
});

test("later pages have no heading and the widths of the first; on a terminal, longer cells are cut", () => {
  const table = pagedTable(columns, 40);
  table.add(first);
  expect(table.add([...later, ...first])).toBe(["a much …  123…", "急須.jpg     7"].join("\n"));
  expect(table.table.dropped).toEqual([]);
});

test("wide characters are cut in whole, and take the cells that they have", () => {
  const table = pagedTable(columns, 40);
  table.add(first);
  expect(table.add([{ name: "急須急須急須", size: 1 }])).toBe("急須急…      1");
});

test("in a pipe nothing is cut", () => {
  const table = pagedTable(columns);
  table.add(first);
  expect(table.add(later)).toBe("a much longer name  12345");
});

test("columns that the first page dropped stay away, and are named at the end", () => {
  const table = pagedTable(columns, 10);
  expect(table.add(first)).toBe("NAME\n急須.jpg");
  expect(table.add([{ name: "b", size: 2 }])).toBe("b");
  expect(table.table.dropped).toEqual(["Size"]);
});

test("a table that is continued elsewhere keeps its widths, and has no second heading", () => {
  const begun = pagedTable(columns, 40);
  begun.add(first);
  expect(pagedTable(columns, 40, begun.table.widths).add(first)).toBe("急須.jpg     7");
  expect(pagedTable(columns, 40, [1, 2, 3]).add(first)).toBe(renderTable(first, columns, 40));
});
