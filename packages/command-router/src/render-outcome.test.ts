import { type Change, ResultAnswer } from "@svc/protocol/exchange";
import { piped } from "@svc/rendering/view";
import { expect, test } from "vitest";
import { asCommand, fixture } from "../testing/fixture-catalog.ts";
import type { Outcome } from "./dispatch.ts";
import { renderOutcome } from "./render-outcome.ts";

const move = fixture("files move");
const list = fixture("files list");
const moved: Outcome = { data: { moved: 2 }, committed: true };
const textOf = (command: typeof move, outcome: Outcome, terminalColumns?: number, nextLine?: string) =>
  renderOutcome(command, outcome, { want: "text", view: { ...piped, columns: terminalColumns }, nextLine })
    .text;

test("a caller who wants text gets text and no data", () => {
  const answer = renderOutcome(move, moved, { want: "text", notices: ["--folder is deprecated"] });
  expect(answer).toEqual({
    kind: "result",
    exitCode: 0,
    text: "Moved 2 files",
    committed: true,
    notices: ["--folder is deprecated"],
  });
  expect(ResultAnswer.parse(answer)).toEqual(answer);
});

test("a caller who wants data gets no text, but the columns of a table", () => {
  const answer = renderOutcome(list, { data: { items: [] }, committed: false }, { want: "data" });
  expect(answer).not.toHaveProperty("text");
  expect(answer.data).toEqual({ items: [] });
  expect(answer.columns).toEqual([
    { field: "name", label: "Name", align: "left", priority: 2 },
    { field: "size", label: "Size", align: "right", priority: 1 },
  ]);
});

test("a table shows its items, fits the terminal, and names the next page", () => {
  const data = { items: [{ name: "report.pdf", size: 5 }], nextCursor: "file_1" };
  expect(textOf(list, { data, committed: false }, undefined, "svc files list --cursor file_1")).toBe(
    "NAME        SIZE\nreport.pdf     5\nmore: svc files list --cursor file_1",
  );
  expect(textOf(list, { data, committed: false }, 10)).toMatch(/^NAME\nreport.pdf\nalso: size$/);
});

test("an empty table says so in words", () => {
  expect(textOf(list, { data: { items: [] }, committed: false })).toBe("There are no files.");
});

test("a result that can be undone says how, in every format", () => {
  const undo = "Undo: svc undo op_1";
  expect(textOf(move, { ...moved, operation: "op_1" })).toBe(`Moved 2 files\n${undo}`);
  const named = { ...moved, operation: "op_1", operationEnd: "7k2q" };
  expect(textOf(move, named)).toBe("Moved 2 files\nUndo: svc undo 7k2q");
  const undoing = {
    ...move,
    presentation: { as: "text", text: () => "Undone", undoWord: () => "Redo" as const },
  } as const;
  expect(textOf(undoing, named)).toBe("Undone\nRedo: svc undo 7k2q");
  const asTable = asCommand({ ...list, effect: "write" });
  expect(textOf(asTable, { data: { items: [] }, committed: true, operation: "op_1" })).toBe(
    `There are no files.\n${undo}`,
  );
  const asFile = asCommand({ ...move, presentation: { as: "file" }, beforeDownload: async () => {} });
  expect(textOf(asFile, { ...moved, operation: "op_1" })).toBe(undo);
});

function preview(...changes: Change[]): Outcome {
  return { data: { moved: 1 }, committed: false, preview: { changes, token: "preview_1" } };
}

test("a preview says what would change, and how to go ahead", () => {
  const outcome = preview(
    { action: "create", type: "folder", name: "new", after: { parent: "/", size: 0 } },
    { action: "update", type: "file", name: "a", before: { path: "/a" }, after: { path: "/to/a" } },
    { action: "delete", type: "file", name: "b", version: 3 },
  );
  expect(textOf(move, outcome)).toBe(`\
Preview: nothing has been changed yet. It would
  create folder "new": parent "/", size 0
  update file "a": path "/a" → "/to/a"
  delete file "b"
Go ahead with: --confirm preview_1`);
  expect(renderOutcome(move, outcome, { want: "data" })).toMatchObject({
    committed: false,
    preview: outcome.preview,
  });
});

test("a preview shows fields that go, and not those that stay", () => {
  const before = { name: "a", slug: "same", note: "old" };
  const outcome = preview({
    action: "update",
    type: "file",
    name: "a",
    before,
    after: { name: "b", slug: "same" },
  });
  expect(textOf(move, outcome)).toContain('update file "a": name "a" → "b", note "old" → nothing\n');
});

test("a preview without changes offers nothing to confirm", () => {
  expect(textOf(move, preview())).toBe("Preview: no changes to apply.");
});

test("a plan stands above the first changes, and the others are counted", () => {
  const planned = asCommand({
    ...move,
    presentation: { as: "text", text: () => "Moved", plan: () => "Files: 3\u001b[2J" },
  });
  const changes = Array.from({ length: 23 }, (_, index): Change => {
    return { action: "delete", type: "file", name: `f${index}` };
  });
  const lines = textOf(planned, preview(...changes))?.split("\n") ?? [];
  expect(lines.slice(0, 3)).toEqual([
    "Files: 3\\u{1b}[2J",
    "Preview: nothing has been changed yet. It would",
    '  delete file "f0"',
  ]);
  expect(lines.slice(21)).toEqual([
    '  delete file "f19"',
    "  and make 3 more changes",
    "Go ahead with: --confirm preview_1",
  ]);
  expect(renderOutcome(planned, preview(...changes), { want: "data" }).preview?.changes).toHaveLength(23);
  expect(textOf(planned, preview())).toBe("Files: 3\\u{1b}[2J\nPreview: no changes to apply.");
});

test("no name in a text or a preview controls the terminal or adds a line", () => {
  const name = '\u001b[2J\u202e"\n  delete everything';
  const text = textOf(move, preview({ action: "delete", type: "file", name })) ?? "";
  expect(text.split("\n")).toHaveLength(3);
  expect(text).toContain('delete file "\\u001b[2J\\u{202e}\\"\\n  delete everything"');
  const shown = asCommand({ ...move, presentation: { as: "text", text: () => "a\u001b[2J\u202e\nb" } });
  expect(textOf(shown, moved)).toBe("a\\u{1b}[2J\\u{202e}\nb");
});

test("a failed check decides the exit code of a run, not of a preview", () => {
  const checked = asCommand({ ...move, exitCode: () => 60 });
  const exitCode = (command: typeof move, outcome: Outcome) =>
    renderOutcome(command, outcome, { want: "data" }).exitCode;
  expect(exitCode(checked, moved)).toBe(60);
  expect(exitCode(checked, preview())).toBe(0);
  expect(exitCode(asCommand({ ...checked, effect: "read" }), { data: {}, committed: false })).toBe(60);
});
