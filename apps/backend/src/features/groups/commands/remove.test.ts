import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("removes somebody; undo adds them back; removing a non-member is a conflict", async ({
  backend,
  tenant,
}) => {
  await tenant.addPerson("Gus");
  await backend.run(tenant.token, "groups create Design");
  await backend.run(tenant.token, "groups add Design Gus");
  const { body } = await backend.type(tenant.token, "groups remove Design Gus");
  expect((await backend.type(tenant.token, "groups remove Design Gus")).body.code).toBe("conflict");
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(tenant.token, "groups show Design")).toMatchObject({ items: [{ name: "Gus" }] });
});
