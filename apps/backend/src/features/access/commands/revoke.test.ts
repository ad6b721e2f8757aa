import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("takes effect with the next call, keeps inherited access, and can be undone", async ({ town }) => {
  await town.run("files mkdir /a");
  const gus = await town.person("Gus");
  const viola = await town.person("Viola", "viewer");
  for (const name of ["Gus", "Viola"]) {
    await town.run(`access grant /a ${town.tenant.addressOf(name)} --role editor`);
  }
  const { body } = await town.type("access revoke /a Gus");
  await town.run("access revoke /a Viola");
  expect((await town.as(gus).type("files list /a")).body.code).toBe("not_found");
  expect(await town.as(viola).run("files stat /a")).toMatchObject({ role: "viewer" });
  await town.undo(body.operation);
  expect(await town.as(gus).run("files stat /a")).toMatchObject({ role: "editor" });
});

test("says so if somebody has no entry", async ({ town }) => {
  await town.run("files mkdir /a");
  await town.person("Gus", "viewer");
  expect((await town.type("access revoke /a Gus")).body.code).toBe("conflict");
});
