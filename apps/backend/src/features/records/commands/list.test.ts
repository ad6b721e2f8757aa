import { expect } from "vitest";
import { type RecordsTown, test } from "../../../../testing/records-test.ts";

async function addCustomers(town: RecordsTown) {
  const { slug } = await town.addCollection(
    "name:text",
    "revenue:number",
    "since:date",
    "active:boolean",
    "status:choice:lead,active,lost",
    "owner:person",
  );
  for (const values of [
    ["name=apple", "revenue=10", "since=2024-01-01", "active=true", "status=active", "owner=Edo"],
    ["name=Banana", "revenue=9", "since=2023-12-31", "active=false", "status=lead"],
    ["name=cherry 100%", "revenue=-1.5", "since=2024-06-01", "status=active", "owner=Vic"],
    ["name=Ångström"],
    ["revenue=1000"],
  ]) {
    await town.addRecord(slug, ...values);
  }
  return slug;
}

interface Listed {
  items: { title: string; fields: { revenue?: number } }[];
  nextCursor?: string;
}

const titles = ({ items }: Listed) => items.map(({ title }) => title);

test.for([
  [["status=active"], ["apple", "cherry 100%"]],
  [["status!=active"], ["Banana", "Ångström", ""]],
  [["status="], ["Ångström", ""]],
  [["status!="], ["apple", "Banana", "cherry 100%"]],
  [["revenue>=10"], ["apple", ""]],
  [["revenue<10"], ["Banana", "cherry 100%"]],
  [["revenue>9", "revenue<=10"], ["apple"]],
  [["revenue=10.0"], ["apple"]],
  [["since>2023-12-31"], ["apple", "cherry 100%"]],
  [["active=no"], ["Banana"]],
  [["name~AN"], ["Banana"]],
  [["name~100%"], ["cherry 100%"]],
  [["name~%"], ["cherry 100%"]],
  [["name~å"], ["Ångström"]],
  [["name>b"], ["Banana", "cherry 100%"]],
  [["owner=edo@TENANT"], ["apple"]],
  [["NAME=apple"], ["apple"]],
  [["name=' or true --"], []],
] as const)("filters by %j", async ([filters, expected], { town }) => {
  const slug = await addCustomers(town);
  const line = [
    "records",
    "list",
    slug,
    ...filters.flatMap((filter) => ["--filter", filter.replace("edo@TENANT", town.tenant.addressOf("Edo"))]),
  ];
  expect(titles(await town.as("viewer").run<Listed>(line))).toEqual(expected);
});

test.for([
  ["revenue", ["cherry 100%", "Banana", "apple", "", "Ångström"]],
  ["-revenue", ["", "apple", "Banana", "cherry 100%", "Ångström"]],
  ["name", ["Ångström", "apple", "Banana", "cherry 100%", ""].toSorted(byRoot)],
  ["-since", ["cherry 100%", "apple", "Banana", "Ångström", ""]],
  ["-createdAt", ["", "Ångström", "cherry 100%", "Banana", "apple"]],
] as const)(
  "sorts by %s, paged as in one list, with empty values last",
  async ([key, expected], { town }) => {
    const slug = await addCustomers(town);
    const whole = await town.as("viewer").run<Listed>(`records list ${slug} --sort=${key}`);
    expect(titles(whole)).toEqual(expected);
    const pages: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const more: string = cursor === undefined ? "" : ` --cursor ${cursor}`;
      const page: Listed = await town
        .as("viewer")
        .run<Listed>(`records list ${slug} --sort=${key} --limit 1${more}`);
      pages.push(...titles(page));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(pages).toEqual(expected);
  },
);

function byRoot(one: string, other: string): number {
  if (one === "" || other === "") return one === "" ? 1 : -1;
  return one.localeCompare(other, "en");
}

test("sorts by several keys, and pages through equal values without losing any", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "a:number", "b:number");
  for (let index = 0; index < 12; index += 1) {
    const b = index % 4 === 0 ? [] : [`b=${index % 4}`];
    await town.addRecord(slug, `name=${index}`, `a=${index % 2}`, ...b);
  }
  const line = `records list ${slug} --sort=-a --sort b`;
  const whole = titles(await town.as("viewer").run<Listed>(line));
  expect(new Set(whole).size).toBe(12);
  expect(whole.slice(0, 3)).toEqual(["1", "5", "9"]);
  const first = await town.as("viewer").run<Listed>(`${line} --limit 5`);
  const second = await town.as("viewer").run<Listed>(`${line} --limit 5 --cursor ${first.nextCursor}`);
  const third = await town.as("viewer").run<Listed>(`${line} --limit 5 --cursor ${second.nextCursor}`);
  expect([first, second, third].flatMap(titles)).toEqual(whole);
  expect(third.nextCursor).toBeUndefined();
});

test.for([
  ["--filter nme=x", "did you mean `name`"],
  ["--filter name", "must have the form"],
  ["--filter =x", "must have the form"],
  ["--filter revenue~1", "does not work with"],
  ["--filter revenue>x", "is not a number"],
  ["--filter revenue>", "cannot be compared with an empty value"],
  ["--filter since>yesterday", "is not a date"],
  ["--filter status=activ", "did you mean `active`"],
  ["--filter owner=Nobody", "matches nobody"],
  ["--filter active<true", "does not work with"],
  ["--sort nme", "did you mean `name`"],
  ["--sort owner", "cannot be sorted"],
  ["--sort constructor", "no such field"],
  ["--filter __proto__=x", "no such field"],
  ["--sort=-createdat", "did you mean `createdAt`"],
])("refuses %s", async ([options, words], { town }) => {
  const slug = await addCustomers(town);
  const { status, body } = await town.as("viewer").type(`records list ${slug} ${options}`);
  expect(status).toBe(400);
  expect(body.code).toBe("invalid_arguments");
  expect(body.detail).toContain(words);
});

test("refuses a cursor of another list and an invented one", async ({ town }) => {
  const slug = await addCustomers(town);
  const line = (cursor: string, sort = "revenue") => `records list ${slug} --sort ${sort} --cursor ${cursor}`;
  const { nextCursor = "" } = await town
    .as("viewer")
    .run<Listed>(`records list ${slug} --sort revenue --limit 1`);
  expect((await town.as("viewer").type(line(nextCursor))).status).toBe(200);
  const [digest, values, id] = JSON.parse(Buffer.from(nextCursor, "base64url").toString());
  const forge = (position: unknown) => Buffer.from(JSON.stringify(position)).toString("base64url");
  for (const cursor of [
    "x",
    "%00",
    forge(null),
    forge({}),
    forge([digest, values]),
    forge([digest, ["x"], id]),
    forge([digest, ["1e999"], id]),
    forge([digest, ["1", "2"], id]),
    forge([digest, [1], id]),
    forge([digest, values, "x"]),
    forge([digest, values, `${id}'`]),
    forge(["other", values, id]),
  ]) {
    const { status, body } = await town.as("viewer").type(line(cursor));
    expect([cursor, status, body.code]).toEqual([cursor, 400, "usage"]);
  }
  expect((await town.as("viewer").type(line(nextCursor, "name"))).body.code).toBe("usage");
  const text = await town.as("viewer").run<Listed>(`records list ${slug} --sort name --limit 1`);
  const [textDigest] = JSON.parse(Buffer.from(text.nextCursor ?? "", "base64url").toString());
  expect((await town.as("viewer").type(line(forge([textDigest, ["a\0b"], id]), "name"))).body.code).toBe(
    "usage",
  );
  const time = await town.as("viewer").run<Listed>(`records list ${slug} --sort createdAt --limit 1`);
  const [timeDigest] = JSON.parse(Buffer.from(time.nextCursor ?? "", "base64url").toString());
  const never = forge([timeDigest, ["9999-99-99T00:00:00.000Z"], id]);
  expect((await town.as("viewer").type(line(never, "createdAt"))).body.code).toBe("usage");
});

test("pages through long titles that begin alike", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const long = "😀".repeat(300);
  for (const end of ["c", "a", "b"]) await town.addRecord(slug, `name=${long}${end}`);
  const first = await town.as("viewer").run<Listed>(`records list ${slug} --sort name --limit 2`);
  const rest = await town
    .as("viewer")
    .run<Listed>(`records list ${slug} --sort name --cursor ${first.nextCursor}`);
  expect(new Set([...titles(first), ...titles(rest)]).size).toBe(3);
});

test("viewers can read it; nobody else learns that it exists", async ({ town }) => {
  const { id } = await town.addCollection("name:text");
  expect((await town.as("viewer").type(`records list ${id}`)).status).toBe(200);
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.as(who).type(`records list ${id}`)).status).toBe(404);
  }
  await town.restrict(id);
  expect((await town.as("viewer").type(`records list ${id}`)).status).toBe(404);
});

test("prints a table of title, fields, time and id", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const id = await town.addRecord(slug, "name=Acme", "n=3");
  const words = ["records", "list", slug, "--workspace", "sales"];
  const { body } = await town.backend.type(town.tokens.viewer, words, { request: { want: "text" } });
  expect(body.text).toMatch(/^TITLE +FIELDS +UPDATED +ID\nAcme +n: 3 +\d{4}-/);
  expect(body.text).toContain(id);
});
