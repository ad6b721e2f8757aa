import { sql } from "kysely";
import { expect } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { ask, test, titles } from "../../../../testing/search-test.ts";

/** Two folders, four types, two owners. */
async function fill(town: FilesTown): Promise<{ editor: string }> {
  const editor = await town.person("Edda Editor", "editor");
  for (const path of ["/reports", "/reports/2026", "/plans"]) await town.run(["files", "mkdir", path]);
  await town.put("/reports/budget.txt", "printer ink");
  await town.put("/reports/2026/Budget plan.csv", "printer,ink");
  await town.as(editor).put("/plans/printer.md", "the printer of the budget");
  await town.as(editor).put("/plans/notes.json", '{ "printer": "ink" }');
  return { editor };
}

test("each operator narrows, different ones together, values of one are alternatives", async ({ town }) => {
  await fill(town);
  const found = async (query: string) => titles(await ask(town, town.owner, query)).sort();
  const all = ["Budget plan.csv", "budget.txt", "notes.json", "printer.md"];
  expect(await found("printer")).toEqual(all);
  expect(await found("printer title:budget")).toEqual(["Budget plan.csv", "budget.txt"]);
  expect(await found("printer -title:budget")).toEqual(["notes.json", "printer.md"]);
  expect(await found('printer title:"budget plan"')).toEqual(["Budget plan.csv"]);
  expect(await found("title:budget")).toEqual(["Budget plan.csv", "budget.txt"]);
  expect(await found("printer title:budget title:notes")).toEqual([
    "Budget plan.csv",
    "budget.txt",
    "notes.json",
  ]);
  expect(await found("printer ext:csv ext:.MD")).toEqual(["Budget plan.csv", "printer.md"]);
  expect(await found("printer -ext:csv")).toEqual(["budget.txt", "notes.json", "printer.md"]);
  expect(await found("printer type:spreadsheet")).toEqual(["Budget plan.csv"]);
  expect(await found("printer type:code")).toEqual(["notes.json"]);
  expect(await found("printer type:spreadsheet type:code")).toEqual(["Budget plan.csv", "notes.json"]);
  expect(await found("printer type:spreadsheet OR type:code")).toEqual(["Budget plan.csv", "notes.json"]);
  expect(await found("printer type:spreadsheet ext:md")).toEqual([]);
  expect(await found("printer path:2026")).toEqual(["Budget plan.csv"]);
  expect(await found("printer path:reports")).toEqual(["Budget plan.csv", "budget.txt"]);
  // Some words in folders, some in the name.
  expect(await found("ink path:reports/plan")).toEqual(["Budget plan.csv"]);
  expect(await found("printer -path:reports")).toEqual(["notes.json", "printer.md"]);
  expect(await found("printer path:rep*")).toEqual(["Budget plan.csv", "budget.txt"]);
  expect(await found("print*")).toEqual(all);
  expect(await found("notes OR plan")).toEqual(["Budget plan.csv", "notes.json", "plans"]);
  expect(await found('"printer ink" OR plan printer')).toEqual([
    ...["Budget plan.csv", "budget.txt", "notes.json", "plans"],
  ]);
});

test("places within places narrow, others are alternatives", async ({ town }) => {
  await fill(town);
  await town.backend.run(town.owner, ["workspaces", "create", "Branch"]);
  const inBranch = ["--workspace", "branch"];
  await town.backend.run(town.owner, ["files", "mkdir", "/reports", ...inBranch]);
  await town.backend.send(
    town.owner,
    ["files", "put", "./far.txt", "/reports/far.txt", ...inBranch],
    "printer",
  );
  const found = async (query: string) => titles(await ask(town, town.owner, query)).sort();
  expect(await found("printer in:/reports in:/reports/2026")).toEqual(["Budget plan.csv"]);
  expect(await found("printer in:/plans in:/reports/2026")).toEqual([
    "Budget plan.csv",
    "notes.json",
    "printer.md",
  ]);
  expect(await found("printer in:/reports")).toEqual(["Budget plan.csv", "budget.txt", "far.txt"]);
  expect(await found("printer in:/reports in:branch")).toEqual(["far.txt"]);
  expect(await found("printer in:branch:/reports in:/reports")).toEqual(["far.txt"]);
});

test("owners are people by name, address, id and me", async ({ town }) => {
  const { editor } = await fill(town);
  const me = await town.backend.run<{ id: string }>(editor, "whoami");
  const found = async (query: string, token = town.owner) => titles(await ask(town, token, query)).sort();
  const hers = ["notes.json", "printer.md"];
  expect(await found("printer owner:me", editor)).toEqual(hers);
  expect(await found("printer owner:edda")).toEqual(hers);
  expect(await found('printer owner:"edda editor"')).toEqual(hers);
  expect(await found(`printer owner:${town.tenant.addressOf("Edda Editor")}`)).toEqual(hers);
  expect(await found(`printer owner:${me.id}`)).toEqual(hers);
  expect(await found("printer -owner:edda")).toEqual(["Budget plan.csv", "budget.txt"]);
  expect(await found("printer owner:edda owner:me")).toHaveLength(4);
});

test("days are those of the caller", async ({ town }) => {
  await fill(town);
  const { id } = town.tenant;
  const change = (name: string, time: string) =>
    town.backend.database.withTenant({ tenantId: id, actorId: id }, "write", ({ db }) =>
      sql`update app.searchable set updated_at = ${time} where name = ${name}`.execute(db),
    );
  await change("budget.txt", "2024-12-31T23:30:00Z");
  await change("Budget plan.csv", "2023-06-15T12:00:00Z");
  const found = async (query: string, timeZone?: string) =>
    titles(await ask(town, town.owner, `printer ${query}`, { timeZone })).sort();
  expect(await found("before:2025")).toEqual(["Budget plan.csv", "budget.txt"]);
  expect(await found("before:2025", "Europe/Berlin")).toEqual(["Budget plan.csv"]);
  expect(await found("after:2023-06-15 before:2023-06-16")).toEqual(["Budget plan.csv"]);
  expect(await found("after:2025-01-01 before:2025-01-02", "Europe/Berlin")).toEqual(["budget.txt"]);
  expect(await found("after:7d")).toEqual(["notes.json", "printer.md"]);
  expect(await found("-after:7d")).toEqual(["Budget plan.csv", "budget.txt"]);
  expect(await found("before:yesterday")).toEqual(["Budget plan.csv", "budget.txt"]);
  await expect(found("after:7d", "Mars/Olympus")).rejects.toThrow("400");
});

test("names what did not do what it looks like, and does not answer a silent zero", async ({ town }) => {
  await fill(town);
  const answer = async (query: string) => {
    const { hits, ignored = [] } = await ask(town, town.owner, query);
    return { hits: hits.length, ignored: ignored.map(({ text, reason }) => `${text}: ${reason}`) };
  };
  expect(await answer("printer foo:bar")).toEqual({ hits: 4, ignored: ["foo:bar: unknown operator"] });
  expect(await answer("printer type:zebra")).toEqual({ hits: 4, ignored: ["type:zebra: unknown value"] });
  expect(await answer("printer before:soon")).toEqual({ hits: 4, ignored: ["before:soon: unknown value"] });
  expect(await answer("printer in:/nowhere")).toEqual({ hits: 0, ignored: ["in:/nowhere: not found"] });
  expect(await answer("printer -in:/nowhere")).toEqual({ hits: 4, ignored: ["-in:/nowhere: not found"] });
  expect(await answer("printer in:/nowhere in:/plans")).toEqual({
    hits: 2,
    ignored: ["in:/nowhere: not found"],
  });
  expect(await answer('printer owner:"No Body"')).toEqual({
    hits: 0,
    ignored: ['owner:"No Body": not found'],
  });
  expect(await answer("type:zebra")).toEqual({ hits: 0, ignored: ["type:zebra: unknown value"] });
  expect((await ask(town, town.owner, "type:zebra")).emptyQuery).toBe(true);
  expect(await answer("printer 12:30 https://a.b")).toEqual({ hits: 4, ignored: [] });
});

test("a named workspace narrows; an ambient or chosen one does not", async ({ town }) => {
  await fill(town);
  await town.backend.run(town.owner, ["workspaces", "create", "Branch"]);
  const put = ["files", "put", "./far.txt", "/far.txt", "--workspace", "branch"];
  await town.backend.send(town.owner, put, "printer");
  const line = (words: string[], request = {}) =>
    town.backend.type(town.owner, ["search", "query", "printer", ...words], { request });
  const names = async (reply: ReturnType<typeof line>) =>
    ((await reply).body.data as { items: { title: string }[] }).items.map(({ title }) => title).sort();
  const everywhere = ["Budget plan.csv", "budget.txt", "far.txt", "notes.json", "printer.md"];
  expect(await names(line(["--workspace", "branch"]))).toEqual(["far.txt"]);
  expect(await names(line(["--workspace-id", "branch"]))).toEqual(["far.txt"]);
  expect(await names(line([]))).toEqual(everywhere);
  expect(await names(line([], { workspace: "branch" }))).toEqual(everywhere);
  expect((await line(["--workspace", "nowhere"])).status).toBe(404);
  for (const workspace of ["branch", "Branch"])
    expect(titles(await ask(town, town.owner, "printer", { workspace }))).toEqual(["far.txt"]);
  expect(titles(await ask(town, town.owner, "printer", { workspace: "nowhere" }))).toEqual([]);
});
