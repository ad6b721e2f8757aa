import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("reads values of every type, and shows them by name", async ({ town }) => {
  const companies = await town.addCollection("name:text");
  const acme = await town.addRecord(companies.slug, "name=Acme");
  const { slug } = await town.addCollection(
    "name:text",
    "revenue:number",
    "since:date",
    "active:boolean",
    "status:choice:lead,lost",
    `account:link:${companies.slug}`,
    "owner:person",
  );
  const typed = ["name=Rin = Co", "revenue=1200.50", "since=2024-02-29", "active=Yes", "status=lead"];
  const set = [...typed, `account=${acme}`, `owner=${town.tenant.addressOf("Edo")}`].flatMap((value) => [
    "--set",
    value,
  ]);
  const made = await town.as("editor").run(["records", "create", slug, ...set, "--body", "Long\r\ntext"]);
  expect(made).toMatchObject({
    title: "Rin = Co",
    fields: {
      name: "Rin = Co",
      revenue: 1200.5,
      since: "2024-02-29",
      active: true,
      status: "lead",
      account: { id: acme, title: "Acme" },
      owner: { name: "Edo" },
    },
  });
  expect(made.fields.owner.id).toMatch(/^user_/);
  expect(await town.as("viewer").run(`records get ${made.id}`)).toMatchObject({ body: "Long\ntext" });
  for (const person of ["Edo", made.fields.owner.id]) {
    const again = await town.as("editor").run(["records", "create", slug, "--set", `owner=${person}`]);
    expect(again.fields.owner).toEqual(made.fields.owner);
  }
});

const fields = [
  "name:text",
  "revenue:number",
  "since:date",
  "active:boolean",
  "status:choice:lead,lost",
  "to:link:SELF",
  "owner:person",
];

test.for([
  ["revenue=12,5", "is not a number"],
  ["revenue=Infinity", "is not a number"],
  ["revenue=NaN", "is not a number"],
  ["revenue=0x10", "is not a number"],
  ["revenue=1e999", "is not a number"],
  ["revenue=9007199254740993", "more digits"],
  ["revenue=0.12345678901234567891", "more digits"],
  ["revenue=1e-400", "more digits"],
  ["since=2023-02-29", "is not a date"],
  ["since=31.12.2024", "is not a date"],
  ["since=0000-01-01", "is not a date"],
  ["active=maybe", "is neither true nor false"],
  ["status=Lead", "did you mean `lead`?"],
  ["status=won", "is not one of lead, lost"],
  ["to=rec_01h455vb4pex5vsknk084sn02q", "does not lead to a record"],
  ["to=Acme", "is not the id of a record"],
  ["owner=Nobody", "matches nobody you know"],
  ["nme=x", "did you mean `name`?"],
  ["name", "must have the form"],
  ["name=\u001b[31m", "control characters"],
  [`name=${"x".repeat(20_001)}`, "has more than 20000"],
] as const)("refuses %j, naming the field", async ([value, words], { town }) => {
  const other = await town.addCollection("name:text");
  const { slug } = await town.addCollection(...fields.map((field) => field.replace("SELF", other.slug)));
  const { status, body } = await town.as("editor").type(["records", "create", slug, "--set", value]);
  expect(status).toBe(400);
  expect(body.code).toBe("invalid_arguments");
  expect(body.violations?.[0]?.argument).toBe(`--set ${value.split("=")[0]}`);
  expect(body.violations?.[0]?.message).toContain(words);
});

test("reports every mistake at once: missing, wrong and set twice", async ({ town }) => {
  const { slug } = await town.addCollection("name!:text", "n:number", "m:number");
  const { body } = await town.as("editor").type(`records create ${slug} --set n=x --set m=1 --set m=2`);
  expect(body.violations).toEqual([
    { argument: "--set n", message: "is not a number; use the form 1200 or -0.5" },
    { argument: "--set m", message: "is set twice" },
    { argument: "--set name", message: "is required" },
  ]);
});

test("refuses a link to a record of another collection, in the trash, or hidden from the caller", async ({
  town,
}) => {
  const [target, other] = [await town.addCollection("name:text"), await town.addCollection("name:text")];
  const { slug } = await town.addCollection("name:text", `to:link:${target.slug}`);
  const [trashed, elsewhere, hidden] = [
    await town.addRecord(target.slug, "name=a"),
    await town.addRecord(other.slug, "name=b"),
    await town.addRecord(target.slug, "name=c"),
  ];
  await town.as("owner").run(`records delete ${trashed}`);
  for (const id of [trashed, elsewhere]) {
    expect((await town.as("editor").type(`records create ${slug} --set to=${id}`)).status).toBe(400);
  }
  expect((await town.as("editor").type(`records create ${slug} --set to=${hidden}`)).status).toBe(200);
  await town.restrict(target.id);
  const { body } = await town.as("editor").type(`records create ${slug} --set to=${hidden}`);
  expect(body.detail).toContain("does not lead to a record that you can see there");
});

test("editors can; viewers are refused; nobody else learns that it exists", async ({ town }) => {
  const { slug, id } = await town.addCollection("name:text");
  expect((await town.as("editor").type(`records create ${slug} --set name=x`)).status).toBe(200);
  expect((await town.as("viewer").type(`records create ${slug} --set name=x`)).body.code).toBe(
    "not_permitted",
  );
  for (const who of ["stranger", "foreigner"] as const) {
    expect((await town.as(who).type(`records create ${id} --set name=x`)).status).toBe(404);
  }
});

test("undo moves it to the trash, unless it was changed", async ({ town }) => {
  const { slug } = await town.addCollection("name:text");
  const made = await town.as("editor").type(`records create ${slug} --set name=x`);
  expect((await town.as("editor").undo(made.body.operation)).status).toBe(200);
  expect(await town.as("viewer").run(`records list ${slug}`)).toMatchObject({ items: [] });

  const changed = await town.as("editor").type(`records create ${slug} --set name=x`);
  const { id } = changed.body.data as { id: string };
  await town.as("editor").run(`records update ${id} --set name=y`);
  expect((await town.as("editor").undo(changed.body.operation)).body.code).toBe("conflict");
});

test("a preview creates nothing, and its token creates what it showed", async ({ town }) => {
  const { slug } = await town.addCollection("name:text", "n:number");
  const line = `records create ${slug} --set name=x --set n=2`;
  const { body } = await town.as("editor").type(`${line} --dry-run`);
  expect(body.preview?.changes).toEqual([
    { action: "create", type: "record", name: "x", after: { name: "x", n: 2 } },
  ]);
  expect(await town.as("viewer").run(`records list ${slug}`)).toMatchObject({ items: [] });
  expect((await town.as("editor").type(`${line} --confirm ${body.preview?.token}`)).status).toBe(200);
});

/** Reading one of 20 kB once took 10 s: the time grew with the square of the length. */
test("a number with 90,000 digits is refused, in time that does not grow with its square", async ({
  town,
}) => {
  const { slug } = await town.addCollection("name:text", "total:number");
  const secondsFor = async (digits: number) => {
    const long = `1.${"0".repeat(digits)}1`;
    const before = process.cpuUsage();
    const created = await town.as("editor").type(["records", "create", slug, "--set", `total=${long}`]);
    const filtered = await town.as("editor").type(["records", "list", slug, "--filter", `total=${long}`]);
    const { user, system } = process.cpuUsage(before);
    expect([created.status, filtered.status]).toEqual([400, 400]);
    expect(created.body.detail).toContain("has more than 100 characters");
    return (user + system) / 1e6;
  };
  await secondsFor(10_000);
  const short = await secondsFor(10_000);
  // The square would be 81 times as much.
  expect(await secondsFor(90_000)).toBeLessThan(short * 27);
});
