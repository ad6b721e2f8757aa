import { sql } from "kysely";
import { expect } from "vitest";
import { ask, test } from "../../../../testing/search-test.ts";

test("without any predicate, the view shows and accepts only rows of the transaction's tenant", async ({
  town,
  backend,
}) => {
  await town.put("/mine.txt", "kiwi");
  const other = await backend.addTenant();
  const { id: theirWorkspace } = await backend.run<{ id: string }>(other.token, "workspaces create Kiwi");
  expect(theirWorkspace).toMatch(/^ws_/);

  const as = <T>(tenantId: string, statement: ReturnType<typeof sql<T>>) =>
    backend.database.withTenant({ tenantId, actorId: tenantId }, "rollback", ({ db }) =>
      statement.execute(db),
    );
  const mine = town.tenant.id;
  const { rows } = await as(mine, sql<{ tenant_id: string }>`select distinct tenant_id from app.searchable`);
  expect(rows).toEqual([{ tenant_id: mine }]);
  // Neither behind the view, nor on one of its shelves.
  for (const table of ["app.search_document", "app.search_document_0"]) {
    await expect(as(mine, sql`select from ${sql.raw(table)}`)).rejects.toThrow("permission denied");
  }
  const changed = await as(mine, sql`update app.searchable set name = 'changed'`);
  const removed = await as(mine, sql`delete from app.searchable`);
  const { rows: counted } = await as(mine, sql<{ count: number }>`select count(*) from app.searchable`);
  expect([changed.numAffectedRows, removed.numAffectedRows].map(Number)).toEqual([
    counted[0]?.count,
    counted[0]?.count,
  ]);
  const copyTo = (tenantId: string) => sql`
    insert into app.searchable select (jsonb_populate_record(document, jsonb_build_object('tenant_id', ${tenantId}::text,
      'id', gen_random_uuid()))).* from app.searchable as document limit 1`;
  await expect(as(mine, copyTo(other.id))).rejects.toThrow("check option");
  expect(Number((await as(mine, copyTo(mine))).numAffectedRows)).toBe(1);
  await expect(as(mine, sql`update app.searchable set tenant_id = ${other.id}`)).rejects.toThrow(
    "check option",
  );
  expect((await ask(town, other.token, "mine kiwi ")).hits.map(({ title }) => title)).toEqual(["Kiwi"]);
});
