import { expect, test } from "vitest";
import { CliAnswer, CliRequest, Column } from "./exchange.ts";

test("a request is argv; the default is text", () => {
  expect(CliRequest.parse({ argv: ["whoami"] })).toEqual({ argv: ["whoami"], want: "text" });
});

test.each([
  ["no argv", {}],
  ["argv as one string", { argv: "whoami" }],
  ["a tenant", { argv: [], tenant: "tenant_1" }],
  ["an actor kind", { argv: [], terminal: { actorKind: "human" } }],
  ["a terminal without columns", { argv: [], terminal: { columns: 0 } }],
  ["a wish that nobody knows", { argv: [], want: "html" }],
  ["too many words", { argv: Array(1_001).fill("x") }],
  ["too long a word", { argv: ["x".repeat(100_001)] }],
])("refuses a request with %s", (_, request) => {
  expect(CliRequest.safeParse(request).success).toBe(false);
});

test.each([
  { kind: "result", exitCode: 0, data: { name: "Rin" }, committed: false, notices: [] },
  { kind: "file", name: "a.md", size: 1, sha256: "00", mediaType: "text/markdown", href: "/d/1" },
  {
    kind: "upload",
    uploads: [
      {
        argument: "source",
        path: "a",
        href: "/u/1",
        maxBytes: 1,
        acceptsFolder: false,
        goesWithLine: true,
        wants: "contents",
        entries: [{ first: 0, last: 4 }],
        begun: [{ entry: 2, bytes: 17 }],
      },
    ],
    continuation: "c",
  },
  { kind: "help", tree: { categories: [] }, text: "" },
])("an answer is told apart by its kind: $kind", (answer) => {
  expect(CliAnswer.parse(answer)).toEqual(answer);
});

test("an answer of another kind is refused", () => {
  expect(CliAnswer.safeParse({ kind: "script", code: "…" }).success).toBe(false);
});

test("by default a column is left-aligned and dropped first", () => {
  expect(Column.parse({ field: "name", label: "Name" })).toEqual({
    field: "name",
    label: "Name",
    align: "left",
    priority: 0,
  });
});
