import type { ResultAnswer } from "@svc/protocol/exchange";
import { expect, test } from "vitest";
import { renderResult } from "./render-result.ts";
import type { RenderingFlags } from "./rendering-flags.ts";

/** Without the last line end. */
const render = (data: unknown, flags: RenderingFlags, more: Partial<ResultAnswer> = {}, columns?: number) =>
  renderResult(
    { kind: "result", exitCode: 0, committed: false, notices: [], data, ...more },
    flags,
    columns,
  ).replace(/\n$/, "");

const column = (field: string, priority = 0, align: "left" | "right" = "left") => ({
  field,
  label: field,
  align,
  priority,
});
const items = [
  { name: "日本", size: 5, tags: ["a", "b"] },
  { name: "a👍b", size: 1_234, tags: [] },
];

test("JSON is the data, including everything beside a list", () => {
  const data = { items, nextCursor: "c" };
  expect(JSON.parse(render(data, { format: "json" }))).toEqual(data);
  expect(JSON.parse(render(data, {}))).toEqual(data);
  expect(JSON.parse(render(data, { format: "json", fields: ["size"] }))).toEqual({
    items: [{ size: 5 }, { size: 1_234 }],
    nextCursor: "c",
  });
});

test("JSON of a write names its operation; other formats stay as they are", () => {
  const more = { committed: true, operation: "op_1" };
  const json = (data: unknown, flags: RenderingFlags = {}) =>
    JSON.parse(render(data, { format: "json", ...flags }, more));
  expect(json({ name: "a" })).toEqual({ name: "a", operation: "op_1" });
  expect(json({ items })).toEqual({ items, operation: "op_1" });
  expect(json(undefined)).toEqual({ operation: "op_1" });
  expect(json(null)).toEqual({ operation: "op_1" });
  expect(json({ name: "a" }, { fields: ["name"] })).toEqual({ name: "a" });
  expect(json({ name: "a" }, { fields: ["operation"] })).toEqual({ operation: "op_1" });
  for (const format of ["tsv", "table"] as const) {
    expect(render({ name: "a" }, { format }, more)).toBe(render({ name: "a" }, { format }));
  }
});

test("a table measures wide characters, and aligns as the server says", () => {
  const columns = [column("name"), column("size", 0, "right"), column("tags")];
  expect(render({ items }, { format: "table" }, { columns })).toBe(
    ["NAME  SIZE  TAGS", "日本     5  a, b", "a👍b  1234  -"].join("\n"),
  );
});

test("where the terminal is narrow the least important column goes first, and is named", () => {
  const columns = [column("name", 2), column("size", 0), column("tags", 1)];
  expect(render({ items }, { format: "table" }, { columns }, 11)).toBe(
    ["NAME  TAGS", "日本  a, b", "a👍b  -", "(not shown, terminal too narrow: size)"].join("\n"),
  );
});

test("--fields alone means a table of them, in their order", () => {
  expect(render({ items }, { fields: ["size", "name"] })).toBe(
    ["SIZE  NAME", "5     日本", "1234  a👍b"].join("\n"),
  );
});

test("without columns from the server a table has all fields of the rows", () => {
  expect(render({ items: [{ a: 1 }, { b: 2 }] }, { format: "table" })).toBe("A  B\n1  -\n-  2");
});

test("a single object is a table of its fields", () => {
  expect(render({ id: "x", owner: { name: "Ann" } }, { format: "table" })).toBe(
    ["FIELD  VALUE", "id     x", 'owner  {"name":"Ann"}'].join("\n"),
  );
  expect(render({ id: "x", owner: { name: "Ann" } }, { format: "tsv", fields: ["owner.name"] })).toBe("Ann");
});

test("a list of plain values is a list too", () => {
  expect(render(["a", "b"], { format: "tsv" })).toBe("a\nb");
  expect(render("a", { format: "table" })).toBe("FIELD  VALUE\nvalue  a");
});

test("an empty list prints nothing as table or tsv, and itself as JSON", () => {
  expect(render({ items: [] }, { format: "table" })).toBe("");
  expect(render({ items: [] }, { format: "tsv" })).toBe("");
  expect(JSON.parse(render({ items: [] }, { format: "json", fields: ["a"] }))).toEqual({ items: [] });
});

test("a preview is shown in place of the data, with the token that commits it", () => {
  const preview = { changes: [{ action: "create" as const, type: "node", name: "a" }], token: "t" };
  expect(JSON.parse(render(undefined, { format: "json" }, { preview }))).toEqual({ preview });
});

test("tsv escapes what would break its lines, and leaves nothing else out", () => {
  const row = { a: "x\ty", b: "1\n2\r3", c: "back\\slash", d: null, e: { f: "\n" }, g: 0, h: false, i: "" };
  expect(render({ items: [row] }, { format: "tsv" })).toBe(
    ["x\\ty", "1\\n2\\r3", "back\\\\slash", "", '{"f":"\\\\n"}', "0", "false", ""].join("\t"),
  );
});

test("says so if there is no data", () => {
  expect(() => render(undefined, { format: "table" })).toThrow("This command has no data to show.");
});
