import { expect } from "vitest";
import { ask, test } from "../../../../testing/search-test.ts";
import { statementsOf } from "../../../../testing/statements-of.ts";

/** Each costs about half a millisecond, which is what a small search consists of. */
test("a search sends few statements", async ({ town }) => {
  await town.run(["files", "mkdir", "/reports"]);
  await town.put("/reports/annual.txt", "the annual report of a harbour");
  const statementsFor = async (query: string) => {
    // The first search also reads statistics, which are remembered.
    await ask(town, town.owner, query, { mode: "fulltext" });
    const sent = await statementsOf(() => ask(town, town.owner, query, { mode: "fulltext" }), kinds.ranking);
    return sent.map((text) => Object.entries(kinds).find(([, pattern]) => pattern.test(text))?.[0] ?? text);
  };
  const around = {
    before: ["begin", "caller", "time limit", "rights", "shelves"],
    after: ["hits", "time limit", "workspaces and owners", "commit"],
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
  "workspaces and owners": /^\s*select 'workspace' as kind/,
};
