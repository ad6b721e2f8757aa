import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

interface Change {
  at: string;
  by?: string;
  byId?: string;
  what: string;
  version?: number;
  from?: string;
  to?: string;
}

const told = ({ at, byId, ...rest }: Change) => rest;

test("shows who created, wrote, renamed, moved, touched, deleted and restored it, newest first", async ({
  town,
}) => {
  const rin = town.as(await town.person("Rin", "editor"));
  await town.run("files mkdir /reports");
  await town.put("/plan.txt", "one");
  await rin.put("/plan.txt", "two");
  await rin.run("files rename /plan.txt budget.txt");
  await town.run("files move /budget.txt /reports/final.txt");
  await rin.run("files touch /reports/final.txt");
  const { operation } = (await town.type("files delete /reports/final.txt")).body;
  await town.undo(operation);
  await town.run("files rename /reports archive");
  const owner = "Owner of Town";
  const { items } = await town.run<{ items: Change[] }>("files history /archive/final.txt");
  expect(items.map(told)).toEqual([
    { what: "restored", by: owner },
    { what: "deleted", by: owner },
    { what: "touched", by: "Rin" },
    { what: "moved", by: owner, from: "/", to: "/archive" },
    { what: "renamed", by: "Rin", from: "plan.txt", to: "budget.txt" },
    { what: "content", by: "Rin", version: 2 },
    { what: "created", by: owner },
  ]);
  const folder = await town.run<{ items: Change[] }>("files history /archive");
  expect(folder.items.map(told)).toEqual([
    { what: "renamed", by: owner, from: "reports", to: "archive" },
    { what: "created", by: owner },
  ]);
});

test("pages show each change once, in order", async ({ town }) => {
  await town.put("/a.txt", "a");
  for (const name of ["b", "c", "d"]) {
    await town.run(`files rename /${name === "b" ? "a" : name === "c" ? "b" : "c"}.txt ${name}.txt`);
    await town.put(`/${name}.txt`, `text of ${name}`);
  }
  const whole = await town.run<{ items: Change[] }>("files history /d.txt");
  expect(whole.items).toHaveLength(7);
  for (const limit of [1, 2, 3]) {
    const seen: Change[] = [];
    let cursor: string | undefined = "";
    while (cursor !== undefined) {
      const page: { items: Change[]; nextCursor?: string } = await town.run([
        ...["files", "history", "/d.txt", "--limit", `${limit}`],
        ...(cursor === "" ? [] : ["--cursor", cursor]),
      ]);
      seen.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(whole.items);
  }
});

test("a content that was undone is in no history", async ({ town }) => {
  await town.put("/a.txt", "one");
  const { operation } = (await town.put("/a.txt", "two")).body;
  await town.undo(operation);
  const { items } = await town.run<{ items: Change[] }>("files history /a.txt");
  expect(items.map(({ what }) => what)).toEqual(["created"]);
});

test("shows neither folders nor people that the caller cannot see", async ({ town }) => {
  const guest = await town.person("Guest");
  await town.run("files mkdir /board");
  await town.run("files mkdir /public");
  await town.run("files mkdir /public/2026");
  await town.put("/board/plan.txt", "secret once");
  await town.run("files move /board/plan.txt /public/2026/");
  await town.run(["access", "grant", "/public", town.tenant.addressOf("Guest")]);
  const rows = await town.as(guest).run<{ items: Change[] }>("files history /public/2026/plan.txt");
  expect(rows.items.map(told)).toEqual([{ what: "moved", to: "/public/2026" }, { what: "created" }]);
  expect(JSON.stringify(rows)).not.toMatch(/board|Owner|user_/);
});

test("a folder that only leads to something visible has no history for that caller", async ({ town }) => {
  const guest = await town.person("Guest");
  await town.run("files mkdir /board");
  await town.put("/board/plan.txt", "for everyone");
  await town.run(["access", "grant", "/board/plan.txt", town.tenant.addressOf("Guest")]);
  expect((await town.as(guest).type("files history /board")).body.code).toBe("not_permitted");
  expect((await town.as(guest).type("files history /board/plan.txt")).status).toBe(200);
  await town.put("/board/other.txt", "x");
  expect((await town.as(guest).type("files history /board/other.txt")).body.code).toBe("not_found");
});

test("a purged file leaves no row behind", async ({ town }) => {
  await town.put("/a.txt", "a");
  await town.run("files rename /a.txt b.txt");
  await town.run("files delete /b.txt");
  await town.run("trash purge --confirm true");
  const left = await town.backend.database.withTenant(
    { tenantId: town.tenant.id, actorId: town.tenant.id },
    "read",
    ({ db }) => db.selectFrom("app.node_change").selectAll().execute(),
  );
  expect(left).toEqual([]);
});
