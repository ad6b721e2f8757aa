import { sql } from "kysely";
import pg from "pg";
import { expect } from "vitest";
import { childrenBeginning } from "../../src/features/files/files-store.ts";
import { complete, wordsOf } from "../../testing/completions/complete.ts";
import { test } from "../../testing/files-test.ts";

const entries = 20_000;

type Line = { "QUERY PLAN": string };
const planText = (lines: readonly Line[]) => lines.map((line) => line["QUERY PLAN"]).join("\n");

test("a prefix in a large folder is a range of an index, whatever the caller can read", async ({
  town,
  backend,
}) => {
  await town.run("files mkdir /large");
  const guest = await town.person("Gus");
  await town.run("files mkdir /large/entry-019999-shared");
  await town.run(["access", "grant", "/large/entry-019999-shared", town.tenant.addressOf("Gus")]);
  const admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
  await admin.connect();
  const { rows } = await admin.query<{ id: string; scope: string }>(
    "select id, acl_scope_id as scope from app.node where tenant_id = $1 and name = 'large'",
    [town.tenant.id],
  );
  const [{ id, scope } = { id: "", scope: "" }] = rows;
  await admin.query(
    `insert into app.node (tenant_id, workspace_id, parent_id, kind, name, acl_scope_id, created_by, updated_by)
     select tenant_id, workspace_id, id, 'folder', 'entry-' || lpad(number::text, 6, '0'), acl_scope_id, created_by, created_by
     from app.node, generate_series(0, ${entries - 1}) as number where id = $1`,
    [id],
  );
  await admin.query("analyze app.node");
  await admin.end();

  const actor = { tenantId: town.tenant.id, actorId: town.tenant.administratorId };
  const app = new pg.Client({ connectionString: backend.testDatabase.appUrl });
  await app.connect();
  for (const readable of ["all", [scope]] as const) {
    const { text, plan } = await backend.database.withTenant(actor, "read", async ({ db, tenantId }) => {
      const query = childrenBeginning(tenantId, id, "entry-0123", { readable, leading: new Set() }, 100);
      const { rows: lines } = await sql<Line>`explain (analyze, costs off, timing off) ${query}`.execute(db);
      return { text: query.compile(db).sql, plan: lines };
    });
    // What a prepared statement may come to, for any text.
    const generic = await app.query<Line>(`explain (generic_plan, costs off) ${text}`);
    const plans = { actual: planText(plan), generic: planText(generic.rows) };
    expect(plans.actual).toMatch(/Index Cond: .*name >= 'entry-0123'.*name < 'entry-0124'/);
    expect(plans.actual).toContain("rows=100");
    expect(plans.generic).toMatch(/Index Cond: .*name >= \$\d.*name < \$\d/);
    for (const plan of Object.values(plans)) {
      expect(plan).toMatch(/Index Scan using node_by_name/);
      expect(plan).not.toContain("Sort");
    }
  }
  await app.end();
  const words = async (token: string, word: string) =>
    wordsOf(await complete(backend, token, ["ls", word], { workspace: town.slug }));
  expect(await words(town.owner, "/large/entry-01234")).toHaveLength(10);
  expect(await words(town.owner, "/large/")).toHaveLength(100);
  // The only one that they can see is the last of all.
  expect(await words(guest, "/large/")).toEqual(["/large/entry-019999-shared/"]);
});
