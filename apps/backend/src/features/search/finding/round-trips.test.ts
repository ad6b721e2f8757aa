import pg from "pg";
import { expect } from "vitest";
import { ask, test } from "../../../../testing/search-test.ts";

/** Each costs about half a millisecond, which is what a small search consists of. */
test("a search sends few statements", async ({ town }) => {
  await town.run(["files", "mkdir", "/reports"]);
  await town.put("/reports/annual.txt", "the annual report of a harbour");
  const statementsFor = async (query: string) => {
    // The first search also reads statistics, which are remembered.
    await ask(town, town.owner, query, { mode: "fulltext" });
    return statementsOf(() => ask(town, town.owner, query, { mode: "fulltext" }));
  };
  const around = {
    before: ["begin", "caller", "time limit", "rights", "shelves"],
    after: ["hits", "time limit", "commit"],
  };
  expect(await statementsFor("harbour")).toEqual([...around.before, "ranking", ...around.after]);
  expect(await statementsFor("annual report")).toEqual([
    ...around.before,
    "words and folders",
    "ranking",
    ...around.after,
  ]);
});

const kinds = {
  begin: /^begin/,
  commit: /^commit/,
  caller: /"is_administrator"/,
  "time limit": /savepoint searching/,
  rights: /scope.parent_id as "parentId"/,
  shelves: /from app.search_shelf /,
  "words and folders": /path_place.*as word \(index, name, body\)/,
  ranking: /weighed as/,
  hits: /hit as materialized/,
};

/** Those of the transaction that searches, by what they do; one of another kind as it is. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: { client: unknown; kind: string }[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function (...given: unknown[]) {
    const [asked] = given as [string | { text: string }];
    const text = (typeof asked === "string" ? asked : asked.text).replace(/\s+/g, " ").trim();
    const kind = Object.entries(kinds).find(([, pattern]) => pattern.test(text))?.[0];
    sent.push({ client: this, kind: kind ?? text });
    return query.apply(this, given);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  const searching = sent.find(({ kind }) => kind === "ranking")?.client;
  const statements = sent.filter(({ client }) => client === searching).map(({ kind }) => kind);
  const ranking = statements.indexOf("ranking");
  return statements.slice(
    statements.lastIndexOf("begin", ranking),
    statements.indexOf("commit", ranking) + 1,
  );
}
