import { expect } from "vitest";
import { FilesTown } from "../../../../testing/files-test.ts";
import { ask, test, titles } from "../../../../testing/search-test.ts";
import { asAdmin, runJob } from "../../../../testing/worker-test.ts";
import keepCurrent from "./keep-current.ts";

function filed(town: FilesTown): Promise<Record<string, unknown>[]> {
  return asAdmin(town, async (admin) => {
    const filed = "select tenant_id as tenant, state, total, operation_id from app.search_reindex";
    return (await admin.query(`${filed} where tenant_id = $1 and ended_at is null`, [town.tenant.id])).rows;
  });
}

test("queues one reindex for tenants with documents of another analyser, and for nobody else", {
  tags: ["long"],
}, async ({ town }) => {
  await town.put("/a.txt", "apples");
  const other = await FilesTown.build(town.backend, await town.backend.addTenant(), "Other");
  await runJob(town.backend, keepCurrent);
  expect(await filed(town)).toEqual([]);

  const outdated =
    "update app.search_document set analyser_version = 0 where tenant_id = $1 and name = 'a.txt'";
  await asAdmin(town, (admin) => admin.query(outdated, [town.tenant.id]));
  await runJob(town.backend, keepCurrent);
  await runJob(town.backend, keepCurrent);
  expect(await filed(town)).toEqual([
    { tenant: town.tenant.id, state: "waiting", total: 2, operation_id: null },
  ]);
  expect(await filed(other)).toEqual([]);
  // Until its turn comes, it is found by its old state.
  expect(titles(await ask(town, town.owner, "apples"))).toEqual(["a.txt"]);
  // A caller who requests the same gets this one, as their own operation.
  const asked = await town.backend.run<{ operation: string; alreadyRunning: boolean }>(
    town.tenant.token,
    "search reindex",
  );
  expect(asked.alreadyRunning).toBe(true);
  const shown = await town.backend.run(town.tenant.token, `operations show ${asked.operation}`);
  expect(shown).toMatchObject({ progress: { done: 0, total: 2 } });
});

test("files one for content from before there was search, even where something is indexed already", async ({
  town,
}) => {
  await town.put("/a.txt", "apples");
  await asAdmin(town, async (admin) => {
    await admin.query("delete from app.search_document where tenant_id = $1", [town.tenant.id]);
    await admin.query("delete from app.search_place where tenant_id = $1", [town.tenant.id]);
    await admin.query("delete from app.search_shelf where tenant_id = $1", [town.tenant.id]);
  });
  await town.backend.run(town.owner, "workspaces create Newer");
  await runJob(town.backend, keepCurrent);
  expect(await filed(town)).toMatchObject([{ total: 3 }]);
});

test("does not retry a failed tenant for a day", async ({ town }) => {
  await town.put("/a.txt", "apples");
  await asAdmin(town, async (admin) => {
    const mine = [town.tenant.id];
    await admin.query("update app.search_document set analyser_version = 0 where tenant_id = $1", mine);
    await admin.query(
      "insert into app.search_reindex (tenant_id, total, state, ended_at) values ($1, 1, 'failed', now())",
      mine,
    );
  });
  await runJob(town.backend, keepCurrent);
  expect(await filed(town)).toEqual([]);
  await asAdmin(town, (admin) =>
    admin.query("update app.search_reindex set ended_at = ended_at - interval '25 hours'"),
  );
  await runJob(town.backend, keepCurrent);
  expect(await filed(town)).toHaveLength(1);
});
