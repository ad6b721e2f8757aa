import { expect } from "vitest";
import { test } from "../../../../testing/records-test.ts";

test("shows the collections that the caller can read, page by page", async ({ town }) => {
  const [one, two, three] = [
    await town.addCollection("name:text", "n:number"),
    await town.addCollection("name:text"),
    await town.addCollection("name:text"),
  ];
  await town.restrict(two.id);
  const seen = await town.as("viewer").run("collections list");
  expect(seen.items.map(({ id }: { id: string }) => id)).toEqual([one.id, three.id]);
  expect(seen.items[0]).toMatchObject({ slug: one.slug, fields: ["name", "n"] });

  const first = await town.as("owner").run("collections list --limit 2");
  expect(first.items).toHaveLength(2);
  const rest = await town.as("owner").run(`collections list --limit 2 --cursor ${first.nextCursor}`);
  expect(rest.items.map(({ id }: { id: string }) => id)).toEqual([three.id]);
  expect(rest.nextCursor).toBeUndefined();
});

test("a stranger is told that there is no workspace, another tenant sees its own", async ({ town }) => {
  expect((await town.as("stranger").type("collections list")).status).toBe(404);
  expect(await town.as("foreigner").run("collections list")).toMatchObject({ items: [] });
});
