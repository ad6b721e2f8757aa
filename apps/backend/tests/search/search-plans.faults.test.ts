import { sharedShelf } from "@svc/search/index/shelf";
import { faultSize } from "@svc/testing/fault-size";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FilesTown } from "../../testing/files-test.ts";
import { ask } from "../../testing/search-test.ts";
import { TestBackend } from "../../testing/test-backend.ts";

/** Plans of the statements that a search really sends, among tens of thousands of documents. */
const documents = faultSize(100_000, 20_000);

const explaining = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_level": "notice",
  "auto_explain.log_format": "json",
};

let database: TestDatabase;
let backend: TestBackend;
let town: FilesTown;
let guest: string;
let shelf: number;

beforeAll(async () => {
  database = await createTestDatabase();
  await asAdmin(async (client) => {
    for (const [setting, value] of Object.entries(explaining))
      await client.query(`alter database ${database.name} set ${setting} = '${value}'`);
  });
  backend = await TestBackend.start({ testDatabase: database });
  town = await FilesTown.build(backend, await backend.addTenant(), "Town");
  shelf = sharedShelf(town.tenant.id);
  await town.run("files mkdir /many");
  await town.run("files mkdir /few");
  await town.put("/few/one.txt", "rarity plentiful");
  guest = await town.person("Gus");
  await town.run(`access grant /few ${town.tenant.addressOf("Gus")} --role viewer`);
  await addRows();
}, 300_000);
afterAll(async () => {
  await backend?.close();
  await database?.drop();
});

test("finds a rare word by the word index, only on the tenant's shelf", async () => {
  const plans = await plansOf(() => ask(town, town.owner, "rarity"));
  const ranking = plans.filter(({ text }) => text.includes("candidate as materialized"));
  expect(ranking.length).toBeGreaterThanOrEqual(repetitions);
  for (const { plan } of ranking) {
    expect(indexesOf(plan)).toContain(`search_document_${shelf}_by_word`);
    expect(readInFull(plan)).toEqual([]);
  }
  expectOneShelf(plans);
});

test("finds a name in the same way, and names similar to a typo by the name index", async () => {
  const plans = await plansOf(() => ask(town, town.owner, "raritty", { searchContent: false }));
  const likeness = plans.filter(({ text }) => text.includes("<<->"));
  expect(likeness).toHaveLength(repetitions);
  for (const { plan } of likeness) expect(indexesOf(plan)).toContain(`search_document_${shelf}_by_name`);
  expectOneShelf(plans);
});

test("for callers who see a small fraction, the search starts from what they see", async () => {
  const plans = await plansOf(() => ask(town, guest, "plentiful"));
  const ranking = plans.filter(({ text }) => text.includes("candidate as materialized"));
  expect(ranking.length).toBeGreaterThanOrEqual(repetitions);
  for (const { plan } of ranking)
    expect(indexesOf(plan)).toContain(`search_document_${shelf}_tenant_id_place_id_idx`);
  expectOneShelf(plans);
});

test("makes snippets of hits only, however few nodes PostgreSQL expects", async () => {
  const plans = await plansOf(() => ask(town, town.owner, "rarity"), "app.node_text");
  expect(plans.length).toBeGreaterThanOrEqual(repetitions);
  for (const { plan } of plans) {
    const reading = partsOf(plan).find(({ Plans: inputs = [] }) => {
      const [outer, inner] = inputs.filter((input) => input["Parent Relationship"] !== "InitPlan");
      return outer?.["CTE Name"] === "hit" && inner && partsOf(inner).some(isOfTexts);
    });
    expect(reading?.["Node Type"]).toBe("Nested Loop");
  }
});

test("a write touches only the tenant's shelf", async () => {
  let index = 0;
  const plans = await plansOf(async () => {
    index += 1;
    await town.put("/few/two.txt", `text ${index}`);
    await town.run(`files mkdir /few/${index}`);
    await town.run(`files delete /few/${index}`);
  });
  expect(plans.length).toBeGreaterThanOrEqual(repetitions * 2);
  expectOneShelf(plans);
});

/** In two hundred folders. Every document has a common word, one in a thousand a rare one; other tenants have as many, on this shelf and others. */
async function addRows(): Promise<void> {
  await asAdmin(async (client) => {
    await client.query(
      `insert into app.search_place (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
       select tenant_id, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, workspace_id, id, acl_scope_id, false
       from app.search_place, generate_series(0, 199) as n
       where tenant_id = $1 and id = (select id from app.node where tenant_id = $1 and name = 'many')`,
      [town.tenant.id],
    );
    await client.query(
      `insert into app.search_document (tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name, whole_name,
         name_tsv, name_length, body_tsv, body_length, is_cut, extension, media_type, updated_at, content_version, analyser_version)
       select case when n % 2 = 0 then $1::uuid else gen_random_uuid() end, case when n % 4 = 3 then (n % 32) else $2 end, uuidv7(),
         'FILE', place.workspace_id, place.id, 'file ' || n || '.txt', 'file ' || n || '.txt',
         to_tsvector('simple', 'file ' || n || ' txt'), 3,
         to_tsvector('simple', 'plentiful w' || n || ' w' || n % 97 || case when n % 1000 = 0 then ' rariti' else '' end),
         4, false, 'txt', 'text/plain', now(), 1, 1
       from generate_series(1, $3::int) as n
       join app.search_place as place on place.tenant_id = $1 and place.id = ('00000000-0000-7000-8000-' || lpad((n % 200)::text, 12, '0'))::uuid`,
      [town.tenant.id, shelf, documents],
    );
    // It also merges new entries of the word index, as the worker does: PostgreSQL avoids an index with many of them.
    await client.query("vacuum analyze app.search_document, app.search_place");
  });
}

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  return work(client).finally(() => client.end());
}

interface Planned {
  text: string;
  plan: PlanNode;
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "CTE Name"?: string;
  "Parent Relationship"?: string;
  Plans?: PlanNode[];
}

/** Often enough that PostgreSQL has considered a generic plan. */
const repetitions = 8;

/** The plans of statements about a table, as `auto_explain` logs them while they run. */
async function plansOf(work: () => Promise<unknown>, table = "app.searchable"): Promise<Planned[]> {
  const noted: Planned[] = [];
  const { emit } = pg.Client.prototype;
  pg.Client.prototype.emit = function (this: pg.Client, name: string | symbol, ...given: unknown[]) {
    const { message = "" } = (name === "notice" ? given[0] : {}) as { message?: string };
    if (message.includes("plan:")) {
      const told = JSON.parse(message.slice(message.indexOf("{")));
      if (told["Query Text"].includes(table)) noted.push({ text: told["Query Text"], plan: told.Plan });
    }
    return Reflect.apply(emit, this, [name, ...given]);
  };
  try {
    for (let index = 0; index < repetitions; index += 1) await work();
  } finally {
    pg.Client.prototype.emit = emit;
  }
  return noted;
}

function partsOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(partsOf)];
}

function isOfTexts(part: PlanNode): boolean {
  return part["Relation Name"] === "node_text";
}

function indexesOf(plan: PlanNode): string[] {
  return partsOf(plan).flatMap((part) => part["Index Name"] ?? []);
}

function readInFull(plan: PlanNode): string[] {
  return partsOf(plan)
    .filter((part) => part["Node Type"] === "Seq Scan")
    .flatMap((part) => part["Relation Name"] ?? [])
    .filter((name) => name.startsWith("search_document"));
}

function expectOneShelf(plans: readonly Planned[]): void {
  const touched = plans.flatMap(({ plan }) => partsOf(plan).flatMap((part) => part["Relation Name"] ?? []));
  const shelves = new Set(touched.filter((name) => /^search_document_\d+$/.test(name)));
  expect([...shelves]).toEqual([`search_document_${shelf}`]);
}
