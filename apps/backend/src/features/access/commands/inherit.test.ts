import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("allows inherited access again, keeps its own entries, and undo restricts it again", async ({
  town,
}) => {
  const viola = await town.person("Viola", "viewer");
  const gus = await town.person("Gus");
  await town.run("files mkdir /board");
  await town.run("access restrict /board");
  await town.run(`access grant /board ${town.tenant.addressOf("Gus")}`);
  const { body } = await town.type("access inherit /board");
  for (const token of [viola, gus]) expect(await town.as(token).tree()).toEqual(["/board/"]);
  await town.undo(body.operation);
  expect(await town.as(viola).tree()).toEqual([]);
  expect(await town.as(gus).tree()).toEqual(["/board/"]);
});

test("refuses what already inherits", async ({ town }) => {
  await town.run("files mkdir /a");
  expect((await town.type("access inherit /a")).body.code).toBe("conflict");
});
