import { Database } from "@svc/database/database";
import { sql } from "kysely";
import { expect } from "vitest";
import { type DemoWorld, test } from "../../../../testing/demo/demo-test.ts";
import { titles } from "../../../../testing/search-test.ts";
import { searchCounters, tenantTables } from "../../../../testing/tenant-tables.ts";
import { listKeys } from "../../../../testing/test-stores.ts";
import { asAdmin, runJob } from "../../../../testing/worker-test.ts";
import removeVisitors from "./remove-visitors.ts";

const words = ["zanzibar", "quokka", "xylophone", "Fjordland"];

/** Every row of every table with a tenant, as text, and every object of the store. */
async function everything({ backend, town }: DemoWorld): Promise<Map<string, string[]>> {
  const admin = new Database({ url: backend.testDatabase.adminUrl });
  const tables = await tenantTables(admin).finally(() => admin.close());
  const found = new Map<string, string[]>();
  await asAdmin({ backend }, async (client) => {
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from ${name} as t where tenant_id = $1 order by 1`,
        [town.tenant.id],
      );
      found.set(
        name,
        rows.map(({ row }) => row),
      );
    }
  });
  found.set("objects", await listKeys(backend.blobStore));
  return found;
}

/** What the worker does with the counters of the index from time to time. */
async function merge(world: DemoWorld): Promise<void> {
  await asAdmin(world, (admin) =>
    admin.query(
      "select app.merge_search_shelf(shelf_id) from (select distinct shelf_id from app.search_place_delta) as due",
    ),
  );
}

test("a visitor is refused from the moment at which the visit ends, however late the job is", async ({
  world,
}) => {
  const visitor = await world.visitor();
  await visitor.upload("mine.txt", "a marmot");
  expect(titles((await visitor.search("marmot")).body)).toEqual(["mine.txt"]);
  await world.expireAll();
  const { body, headers } = await visitor.search("marmot");
  expect(body.hits).toEqual([]);
  expect(headers["set-cookie"]).toBeDefined();
});

test("nothing is left of a visitor but audit entries, which have none of their text", async ({ world }) => {
  await world.expireAll();
  await runJob(world.backend, removeVisitors);
  await merge(world);
  // A content that somebody else has, too, stays.
  await world.town.put("/shared.txt", "the same content");
  await merge(world);
  const before = await everything(world);

  for (let number = 0; number < 3; number += 1) {
    const visitor = await world.visitor();
    await visitor.upload(`${words[0]}.txt`, `about the ${words[1]}`, {
      "x-request-id": `${words[0]}-was-here`,
    });
    await visitor.upload(`${words[0]}.txt`, `about the ${words[1]} again`);
    await visitor.upload(`${words[2]} ${number}.txt`, "the same content");
    await visitor.search(`${words[3]}`);
    await visitor.search(`${words[1]}`, { explain: true, limit: 1 });
    await visitor.upload("wrong\u0000name.txt", words[3] ?? "");
    await visitor.search(words[3] ?? "", { cursor: `${words[3]}` });
  }
  const meanwhile = await everything(world);
  for (const table of [
    "app.node",
    "app.principal",
    "app.operation",
    "app.blob",
    "objects",
    "app.search_document",
  ])
    expect(meanwhile.get(table)?.length, table).toBeGreaterThan(before.get(table)?.length ?? 0);

  await world.expireAll();
  await runJob(world.backend, removeVisitors);
  await merge(world);
  const after = await everything(world);
  for (const [table, rows] of after) {
    if (table === "app.audit" || table === "app.audit_head" || searchCounters.has(table)) continue;
    expect(rows, table).toEqual(before.get(table));
  }
  const left = [...after].filter(([table]) => searchCounters.has(table)).flatMap(([, rows]) => rows);
  expect(left).toEqual(
    [...before].filter(([table]) => searchCounters.has(table)).flatMap(([, rows]) => rows),
  );
  const entries = after.get("app.audit")?.filter((row) => !before.get("app.audit")?.includes(row)) ?? [];
  expect(entries.length).toBeGreaterThan(8);
  // None of them can occur in an id or a digest.
  for (const entry of entries)
    for (const word of [...words, "content", "Visitor", "wrong"])
      expect(entry.toLowerCase()).not.toContain(word.toLowerCase());
  const { intact } = await world.backend.run<{ intact: boolean }>(world.town.tenant.token, "audit verify");
  expect(intact).toBe(true);
});

test("only visitors whose time is over are removed, and only in a demo", async ({ world }) => {
  const visitor = await world.visitor();
  await visitor.upload("mine.txt", "a marmot");
  await runJob(world.backend, removeVisitors);
  expect(titles((await visitor.search("marmot")).body)).toEqual(["mine.txt"]);
  const worker = new Database({ url: world.backend.testDatabase.workerUrl });
  try {
    const { id } = await world.backend.addTenant();
    const person = await asAdmin(world, async (admin) => {
      const { rows } = await admin.query<{ id: string }>(
        "select id from app.principal where tenant_id = $1",
        [id],
      );
      return rows[0]?.id ?? "";
    });
    for (const tenantId of [id, world.town.tenant.id]) {
      await worker.withTenant({ tenantId, actorId: person }, "write", async ({ db }) => {
        await sql`select app.remove_demo_visitor(${person})`.execute(db);
      });
    }
    const left = await asAdmin(world, (admin) =>
      admin.query("select from app.principal where id = $1", [person]),
    );
    expect(left.rowCount).toBe(1);
  } finally {
    await worker.close();
  }
});
