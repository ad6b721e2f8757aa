import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { expect, onTestFinished, vi } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { ask, test } from "../../../../testing/search-test.ts";

interface Insight {
  query: string;
  people: number;
  times: number;
  foundBy: number;
}

function insights({ backend, tenant }: FilesTown): Promise<{ items: Insight[] }> {
  return backend.run<{ items: Insight[] }>(tenant.token, "search insights");
}

async function logged({ backend, tenant }: FilesTown): Promise<string[]> {
  const admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query(
      "select query from app.search_query where tenant_id = $1 order by at",
      [tenant.id],
    );
    return rows.map(({ query }) => query);
  } finally {
    await admin.end();
  }
}

test("shows failed queries of two people or more, without keystrokes", { tags: ["long"] }, async ({
  town,
}) => {
  await town.put("/a.txt", "apples");
  const viewer = await town.person("Vera", "viewer");
  for (const typed of ["van", "vanilla", "Vanilla  beans", "vanilla beanz", "vanilla beans"]) {
    await ask(town, town.owner, typed);
  }
  await ask(town, viewer, "vanilla beans");
  await ask(town, viewer, "secret of Vera");
  await ask(town, town.owner, "apples");
  await waitUntil(async () => {
    expect((await insights(town)).items).toMatchObject([
      { query: "vanilla beans", people: 2, times: expect.any(Number), foundBy: 0 },
    ]);
  });
  // Queries are written in batches: those of the next one may still be missing.
  await waitUntil(async () => {
    expect(await logged(town)).toEqual(expect.arrayContaining(["secret of Vera", "apples"]));
  });
  const kept = await logged(town);
  expect(kept).not.toContain("van");
  expect(kept).not.toContain("vanilla");
});

test("shows how many people find what others do not", { tags: ["long"] }, async ({ town }) => {
  await town.put("/salary.txt", "salaries of all");
  for (const name of ["Rin", "Sol"]) await ask(town, await town.person(name), "salary");
  await ask(town, town.owner, "salary");
  await waitUntil(async () => {
    expect((await insights(town)).items).toMatchObject([
      { query: "salary", people: 2, times: 2, foundBy: 1 },
    ]);
  });
  const { body } = await town.backend.type(town.tenant.token, "search insights", {
    request: { want: "text" },
  });
  expect(body.text).toMatch(/^LOOKED FOR +PEOPLE +TIMES +FOUND BY +LAST\s+salary +2 +2 +1 /);
});

test("is for administrators", async ({ town }) => {
  expect((await town.type("search insights")).body.code).toBe("not_permitted");
});

test("keeps no queries of people who turned it off, nor of anybody if an administrator did", {
  tags: ["long"],
}, async ({ town }) => {
  const viewer = await town.person("Vera", "viewer");
  await ask(town, viewer, "before");
  await waitUntil(async () => expect(await logged(town)).toEqual(["before"]));
  const { operation } = (await town.backend.type(viewer, "search log off")).body;
  expect(await logged(town)).toEqual([]);
  await ask(town, viewer, "hidden");
  await ask(town, town.owner, "open");
  await waitUntil(async () => expect(await logged(town)).toEqual(["open"]));
  expect((await town.backend.type(town.owner, "search log off --everybody")).body.code).toBe("not_permitted");
  await town.backend.run(town.tenant.token, "search log off --everybody");
  await town.as(viewer).undo(operation);
  const { database } = town.backend;
  const used = vi.spyOn(database, "withTenant");
  onTestFinished(() => used.mockRestore());
  await ask(town, viewer, "nothing");
  // The search only reads: the write is that of the batch, which leaves the query out.
  await waitUntil(() => {
    const batch = used.mock.calls.findIndex(
      ([scope, mode]) => scope.tenantId === town.tenant.id && mode === "write",
    );
    expect(used.mock.settledResults[batch]).toMatchObject({ type: "fulfilled" });
  });
  expect(await logged(town)).toEqual([]);
  await town.backend.run(town.tenant.token, "search log on --everybody");
  await ask(town, viewer, "again");
  await waitUntil(async () => expect(await logged(town)).toEqual(["again"]));
});
