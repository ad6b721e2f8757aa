import { expect } from "vitest";
import { test } from "../../../../testing/search-test.ts";

test("says what holds now, and can be undone", async ({ town }) => {
  const off = await town.backend.type(town.owner, "search log off", { request: { want: "text" } });
  expect(off.body.text).toContain("Queries of yours are not kept.");
  const again = await town.backend.type(town.owner, "search log off");
  expect(again.body.operation).toBeUndefined();
  expect((await town.undo(off.body.operation)).status).toBe(200);
  const on = await town.backend.type(town.owner, "search log on");
  expect(on.body.operation).toBeUndefined();
});

test("an administrator cannot switch the log of another person on by undoing it", async ({ town }) => {
  const { operation } = (await town.backend.type(town.owner, "search log off")).body;
  expect((await town.as(town.tenant.token).undo(operation)).body.code).toBe("not_permitted");
  expect((await town.undo(operation)).status).toBe(200);
});
