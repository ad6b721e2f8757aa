import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("adds somebody to a group; undo removes them; adding twice is a conflict", async ({
  backend,
  tenant,
}) => {
  await tenant.addPerson("Gus");
  await backend.run(tenant.token, "groups create Design");
  const { body } = await backend.type(tenant.token, "groups add Design Gus");
  expect(await backend.run(tenant.token, "groups show Design")).toMatchObject({ items: [{ name: "Gus" }] });
  expect((await backend.type(tenant.token, "groups add Design Gus")).body.code).toBe("conflict");
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(tenant.token, "groups show Design")).toMatchObject({ items: [] });
});

test("a group cannot be in itself, and a person is not a group", async ({ backend, tenant }) => {
  await tenant.addPerson("Lin");
  await backend.run(tenant.token, "groups create Loop");
  expect((await backend.type(tenant.token, "groups add Loop Loop")).body.code).toBe("conflict");
  expect((await backend.type(tenant.token, "groups add Lin Loop")).body.code).toBe("not_found");
});
