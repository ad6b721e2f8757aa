import { expect } from "vitest";
import { test } from "../../../../testing/search-test.ts";

test("shows the new state, and can be undone", async ({ town }) => {
  const off = await town.backend.type(town.owner, "search log off", { request: { want: "text" } });
  expect(off.body.text).toContain("Your queries are not kept.");
  const again = await town.backend.type(town.owner, "search log off");
  expect(again.body.operation).toBeUndefined();
  expect((await town.undo(off.body.operation)).status).toBe(200);
  const on = await town.backend.type(town.owner, "search log on");
  expect(on.body.operation).toBeUndefined();
});

test("an administrator cannot turn another person's log on with undo", async ({ town }) => {
  const { operation } = (await town.backend.type(town.owner, "search log off")).body;
  expect((await town.as(town.tenant.token).undo(operation)).body.code).toBe("not_permitted");
  expect((await town.undo(operation)).status).toBe(200);
});
