import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

interface Imported {
  count: number;
  first: { title: string; fields: Record<string, unknown> }[];
}

test("reads a CSV with a byte order mark, any line endings, quotes and quoted line breaks", async ({
  town,
}) => {
  const { slug } = await town.addCollection("name:text", "revenue:number", "active:boolean");
  const csv = '\ufeffRevenue,name,body\r\n1200,"Acme, ""the"" Co",\n,"two\r\nlines",long\r\n\r\n-1,Zed,\n';
  const { status, body } = await town.as("editor").send(`records import ${slug} ./x.csv`, csv);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    count: 3,
    first: [
      { title: 'Acme, "the" Co', fields: { revenue: 1200 } },
      { title: "two\nlines", fields: { name: "two\nlines" } },
      { title: "Zed", fields: { revenue: -1 } },
    ],
  });
  const { items } = await town.as("viewer").run(`records list ${slug}`);
  expect(items.map(({ title }: { title: string }) => title)).toEqual(['Acme, "the" Co', "two\nlines", "Zed"]);
  expect(await town.as("viewer").run(`records get ${items[1].id}`)).toMatchObject({ body: "long" });
});

test("reads JSON lines of typed values, links and people", async ({ town }) => {
  const target = await town.addCollection("name:text");
  const to = await town.addRecord(target.slug, "name=Target");
  const { slug } = await town.addCollection(
    "name:text",
    "n:number",
    "on:boolean",
    `to:link:${target.slug}`,
    "owner:person",
  );
  const lines = [
    { name: "a", n: 1.5, on: false, to, owner: "Edo", body: "Text" },
    { name: "b", n: null, on: "yes", owner: town.tenant.addressOf("Edo") },
  ];
  const content = `${lines.map((line) => JSON.stringify(line)).join("\r\n")}\n\n`;
  const { body } = await town.as("editor").send(`records import ${slug} ./x.jsonl`, content);
  const { first } = body.data as Imported;
  expect(first[0]?.fields).toMatchObject({
    n: 1.5,
    on: false,
    to: { id: to, title: "Target" },
    owner: { name: "Edo" },
  });
  expect(first[1]?.fields).toMatchObject({ name: "b", on: true, owner: { name: "Edo" } });
});

test("reports every mistake with its line, and imports nothing", async ({ town }) => {
  const { slug } = await town.addCollection(
    "name!:text",
    "n:number",
    "status:choice:lead,lost",
    "owner:person",
  );
  const csv = [
    "name,n,status,owner",
    "fine,1,lead,Edo",
    '"two\nlines",x,lead,',
    ",2,won,Nobody",
    "short",
    "ok,,,",
    "long,1,lead,Edo,more",
  ].join("\n");
  for (const options of ["", " --dry-run"]) {
    const { status, body } = await town.as("editor").send(`records import ${slug} ./x.csv${options}`, csv);
    expect(status).toBe(400);
    expect(body.code).toBe("invalid_arguments");
    expect(body.violations).toEqual([
      { argument: "line 3, n", message: expect.stringContaining("is not a number") },
      { argument: "line 5, name", message: "is required" },
      { argument: "line 5, status", message: expect.stringContaining("is not one of lead, lost") },
      { argument: "line 5, owner", message: "matches nobody you know" },
      { argument: "line 6, row", message: "has 1 cells; the first line has 4" },
      { argument: "line 6, name", message: "is required" },
      { argument: "line 8, row", message: "has 5 cells; the first line has 4" },
      { argument: "line 8, name", message: "is required" },
    ]);
    expect(body.detail).toContain("8 errors found:\nline 3, n: is not a number");
  }
  expect(await town.as("viewer").run(`records list ${slug}`)).toMatchObject({ items: [] });
});

test("shows a hundred mistakes and counts the rest, even after rows that were written", async ({ town }) => {
  const { slug } = await town.addCollection("n:number", "name:text");
  const good = Array.from({ length: 1_200 }, (_, index) => `${index},x`);
  const bad = Array.from({ length: 150 }, () => "x,x");
  const csv = ["n,name", ...good, ...bad].join("\n");
  const { body } = await town.as("editor").send(`records import ${slug} ./x.csv`, csv);
  expect(body.violations).toHaveLength(100);
  expect(body.violations?.[0]?.argument).toBe("line 1202, n");
  expect(body.detail).toMatch(/150 errors found:.*\nand 50 more$/s);
  expect(await town.as("viewer").run(`records list ${slug}`)).toMatchObject({ items: [] });
});

test.for([
  ["an unknown header", "nme,n\nx,1", "line 1, nme", "did you mean `name`?"],
  ["a header twice", "name,Name\nx,y", "line 1, Name", "appears twice"],
  ["other separators", "name;n\nx;1", "line 1, name;n", "not separated by commas"],
  ["nothing", "", "line 1", "the file is empty"],
  ["a quote that is not closed", 'name,n\nx,1\n"y,2\nz,3\n', "line 3", "a quote is not closed"],
  ["a quote in the middle", 'name,n\n"x"y,1\n', "line 2", "a quote is not allowed here"],
  ["another encoding", Buffer.from("name,n\n\xe9t\xe9,1", "latin1"), "file", "is not UTF-8"],
  ["UTF-16", Buffer.from("\ufeffname,n\nx,1", "utf16le"), "file", "is not UTF-8"],
  ["control characters", "name,n\na\u0000b,1", "line 2, name", "control characters"],
] as const)("refuses %s in a CSV", async ([, content, argument, words], { town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const { status, body } = await town.as("editor").send(`records import ${slug} ./x.csv`, content as string);
  expect(status).toBe(400);
  expect(body.violations).toEqual([{ argument, message: expect.stringContaining(words) }]);
});

test("reports mistakes in the rows before a broken quote", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const { body } = await town
    .as("editor")
    .send(`records import ${slug} ./x.csv`, 'name,n\na,x\n"b"c,1\nd,x\n');
  expect(body.violations?.map(({ argument }) => argument)).toEqual(["line 2, n", "line 3"]);
});

test.for([
  ["a value that is not an object", '{"name":"x"}\n[1]\n', "line 2, row", "not a JSON object"],
  ["invalid JSON", "\n\nname\n", "line 3, row", "not a JSON object"],
  ["an unknown name", '{"nme":"x"}', "line 1, nme", "did you mean `name`?"],
  ["values within values", '{"name":{"a":1}}', "line 1, name", "not a single value"],
  ["one name twice", '{"name":"x","Name":"y"}', "line 1, Name", "appears twice"],
  ["half of a surrogate pair", '{"name":"\\ud800"}', "line 1, name", "surrogate"],
  ["digits that a number does not keep", '{"n":9007199254740993}', "line 1, n", "more digits"],
] as const)("refuses %s in JSON lines", async ([, content, argument, words], { town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const { status, body } = await town.as("editor").send(`records import ${slug} ./x.ndjson`, content);
  expect(status).toBe(400);
  expect(body.violations).toEqual([{ argument, message: expect.stringContaining(words) }]);
});

test("a preview shows the first rows, imports nothing, and its token imports the same", async ({ town }) => {
  const { slug, id } = await town.addCollection("name:text", "n:number");
  const csv = `name,n\n${Array.from({ length: 7 }, (_, index) => `r${index},${index}`).join("\n")}`;
  const { body } = await town.as("editor").send(`records import ${slug} ./x.csv --dry-run`, csv);
  expect(body.preview?.changes).toMatchObject([
    {
      action: "create",
      type: "records",
      after: {
        collection: id,
        count: 7,
        first: [{ title: "r0", fields: { name: "r0", n: 0 } }, {}, {}, {}, {}],
      },
    },
  ]);
  expect(await town.as("viewer").run(`records list ${slug}`)).toMatchObject({ items: [] });
  const line = `records import ${slug} ./x.csv --confirm ${body.preview?.token}`;
  const other = await town.as("editor").send(line, csv.replace("r6,6", "r6,7"));
  expect(other.body.code).toBe("conflict");
  expect((await town.as("editor").send(line, csv)).body.data).toMatchObject({ count: 7 });
});

test("undo trashes all of them, and is refused if one was changed", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const kept = await town.addRecord(slug, "name=kept");
  const first = await town.as("editor").send(`records import ${slug} ./x.csv`, "name\na\nb\n");
  expect((await town.as("editor").undo(first.body.operation)).status).toBe(200);
  const { items } = await town.as("viewer").run(`records list ${slug}`);
  expect(items.map(({ id }: { id: string }) => id)).toEqual([kept]);

  const second = await town.as("editor").send(`records import ${slug} ./x.csv`, "name\na\nb\n");
  const after = await town.as("viewer").run(`records list ${slug} --filter name=a`);
  await town.as("editor").run(`records update ${after.items[0].id} --set name=c`);
  expect((await town.as("editor").undo(second.body.operation)).body).toMatchObject({ code: "conflict" });
  expect((await town.as("viewer").run(`records list ${slug}`)).items).toHaveLength(3);
});

test("asks for the format if the name does not show it, and says if a file has no rows", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  expect((await town.as("editor").send(`records import ${slug} ./x.txt`, "name\na\n")).body.hint).toContain(
    "--format-of",
  );
  const told = await town.as("editor").send(`records import ${slug} ./x.txt --format-of csv`, "name\na\n");
  expect(told.body.data).toMatchObject({ count: 1 });
  expect((await town.as("editor").send(`records import ${slug} ./x.csv`, "name\n")).body.detail).toContain(
    "no rows",
  );
});

test("refuses viewers, and tells others that it does not exist", async ({ town }) => {
  const { slug, id } = await town.addCollection("name:text");
  const csv = "name\na\n";
  expect((await town.as("viewer").send(`records import ${slug} ./x.csv`, csv)).body.code).toBe(
    "not_permitted",
  );
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.as(who).send(`records import ${id} ./x.csv`, csv)).status).toBe(404);
  }
});

test("a link in a file cannot refer to a record that the caller cannot read", async ({ town }) => {
  const target = await town.addCollection("name:text");
  const hidden = await town.addRecord(target.slug, "name=Hidden");
  const { slug } = await town.addCollection("name:text", `to:link:${target.slug}`);
  await town.restrict(target.id);
  const { body } = await town.as("editor").send(`records import ${slug} ./x.csv`, `name,to\na,${hidden}\n`);
  expect(body.violations).toEqual([
    { argument: "line 2, to", message: "does not lead to a record that you can see there" },
  ]);
});
