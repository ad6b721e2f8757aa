import pg from "pg";
import { expect } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { ask, test, titles } from "../../../../testing/search-test.ts";

interface Finding {
  found: boolean;
  rank?: number;
  reason?: string;
  remedy?: string;
  words: { word: string; inName: boolean; inText: boolean }[];
  steps: string[];
}

function why(town: FilesTown, entity: string, query: string, token = town.owner): Promise<Finding> {
  const line = ["search", "why-missing", "--workspace", town.slug, "--", entity, query];
  return town.backend.run<Finding>(token, line);
}

async function damage({ backend, tenant }: FilesTown, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
  await admin.connect();
  await admin.query(`${statement} where tenant_id = $1`, [tenant.id]);
  await admin.end();
}

test("says that it is found, where, and by which words", async ({ town }) => {
  await town.put("/report.txt", "net revenue of the year");
  expect(await why(town, "/report.txt", "report revenue unicorn")).toEqual({
    found: true,
    rank: 1,
    steps: [
      "/report.txt is there, and you may see it",
      "it is indexed",
      "no filter of the query keeps it out",
      "it has 2 of 3 words",
    ],
    words: [
      { word: "report", inName: true, inText: false },
      { word: "revenue", inName: false, inText: true },
      { word: "unicorn", inName: false, inText: false },
    ],
  });
});

test("what is not there and what may not be seen are told alike", async ({ town }) => {
  await town.run("files mkdir /hidden");
  await town.put("/hidden/a.txt", "apples");
  const { id } = await town.run<{ id: string }>("files stat /hidden/a.txt");
  await town.run("access restrict /hidden");
  const viewer = await town.person("Vera", "viewer");
  const hidden = await why(town, "/hidden/a.txt", "apples", viewer);
  const absent = await why(town, "/hidden/b.txt", "apples", viewer);
  expect(hidden.reason).toBe("there is no `/hidden/a.txt`, or you may not see it");
  expect(JSON.stringify(absent)).toBe(JSON.stringify(hidden).replaceAll("a.txt", "b.txt"));
  expect(await why(town, id, "apples", viewer)).toMatchObject({ found: false, steps: [], words: [] });
  expect(await why(town, id, "apples")).toMatchObject({ found: true });
  // In the trash it is no more to be seen by him than before.
  await town.run("files delete /hidden/a.txt");
  expect((await why(town, id, "apples", viewer)).reason).toContain("you may not see it");
  expect(await why(town, id, "apples")).toMatchObject({ reason: "`a.txt` is in the trash" });
});

test("finds the trash above it, and a workspace in the trash for an administrator", async ({ town }) => {
  await town.run("files mkdir /old");
  await town.put("/old/a.txt", "apples");
  const { id } = await town.run<{ id: string }>("files stat /old/a.txt");
  await town.run("files delete /old");
  expect((await why(town, id, "apples")).reason).toBe("`old` is in the trash");
  await town.backend.run(town.owner, `workspaces delete ${town.slug}`);
  const { data } = (await town.backend.type(town.tenant.token, ["search", "why-missing", id, "apples"]))
    .body as unknown as { data: Finding };
  expect(data.reason).toBe("`Town` is in the trash");
});

test.for([
  ["apples -garden", "it has what the query excludes with -"],
  ['"garden apples"', "it has the words in quotes, if at all, not one after the other"],
  ["apples type:pdf", "it is of another type than `type:` names"],
  ["apples -type:txt", "it is of the type that `-type:` names"],
  ["apples in:/there", "it is not below what `in:` or the folder names"],
  ["apples -in:/here", "it is below what `-in:` names"],
  ["unicorns", "no word of the query is in its name or text"],
] as const)("%s: %s", async ([query, reason], { town }) => {
  await town.run("files mkdir /here");
  await town.run("files mkdir /there");
  await town.put("/here/a.txt", "apples in the garden");
  const finding = await why(town, "/here/a.txt", query);
  expect(finding).toMatchObject({ found: false, reason, remedy: expect.any(String) });
  // As the search itself has it.
  expect(titles(await ask(town, town.owner, query))).not.toContain("a.txt");
});

test("a word that everything has makes no hit, and is said to be all there is", async ({ town }) => {
  await town.put("/the plan.txt", "apples");
  const finding = await why(town, "/the plan.txt", "the unicorns ");
  expect(finding.reason).toBe("of the query it has only words that everything has, which make no hit");
  expect(titles(await ask(town, town.owner, "the unicorns "))).toEqual([]);
});

test("says what is wrong with the index, and what helps", async ({ town }) => {
  await town.put("/a.txt", "apples");
  await damage(town, "update app.search_document set analyser_version = 0");
  expect((await why(town, "/a.txt", "apples")).steps).toContain("it is indexed; by analyser 0, an older one");
  await damage(town, "update app.search_place set is_hidden = true");
  expect((await why(town, "/a.txt", "apples")).reason).toBe("the index does not know where it is");
  await damage(town, "delete from app.search_document");
  expect(await why(town, "/a.txt", "apples")).toMatchObject({
    reason: "it is not indexed",
    remedy: "An administrator can have it indexed again with `svc search reindex`.",
  });
});

test("says how reading its text ended, where no word is in it", async ({ town }) => {
  await town.put("/scan.txt", "");
  const { reason, remedy } = await why(town, "/scan.txt", "apples");
  expect(reason).toBe("no word of the query is in its name or text");
  expect(remedy).toBe("No text was found in it; a scan has none.");
});

test("says how far down it is", async ({ town }) => {
  for (let index = 0; index < 21; index += 1) await town.put(`/apples ${index}.txt`, "apples");
  await town.put("/last.txt", "apples and very many other things");
  expect(await why(town, "/last.txt", "apples")).toMatchObject({
    rank: 22,
    reason: "21 others come before it, and a page has 20",
  });
});

test("records are found in contents only", async ({ town }) => {
  await town.run(["collections", "create", "Customers", "--field", "name!:text"]);
  const { id } = await town.run<{ id: string }>([
    "records",
    "create",
    "customers",
    "--set",
    "name=Kontor Nord",
  ]);
  expect(await why(town, id, "kontor")).toMatchObject({ found: true, rank: 1 });
  const names = await town.run<Finding>(["search", "why-missing", id, "kontor", "--no-search-content"]);
  expect(names.reason).toBe("only names of files, folders and workspaces were looked at");
});

test("is read like this", async ({ town }) => {
  await town.put("/a.txt", "apples");
  const line = town.words(["search", "why-missing", "/a.txt", "unicorns"]);
  const { body } = await town.backend.type(town.owner, line, { request: { want: "text" } });
  expect(body.text?.split("\n")).toEqual([
    "yes  /a.txt is there, and you may see it",
    "yes  it is indexed",
    "yes  no filter of the query keeps it out",
    "     unicorns: not in it",
    "NO   no word of the query is in its name or text",
    "     Use a word that is in it, as it is written there.",
  ]);
});
