import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("creates a group once, for administrators only, and undo removes it", async ({ backend, tenant }) => {
  const { body } = await backend.type(tenant.token, "groups create Design");
  expect(body.data).toMatchObject({ name: "Design", id: expect.stringMatching(/^group_/) });
  expect((await backend.type(tenant.token, "groups create Design")).body.code).toBe("conflict");
  const { token } = await tenant.addPerson("Ed");
  expect((await backend.type(token, "groups create Mine")).body.code).toBe("not_permitted");
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(tenant.token, "groups list")).toEqual({ items: [] });
});
