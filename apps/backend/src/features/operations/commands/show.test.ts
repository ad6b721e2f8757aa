import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("shows each change, from what to what", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Marketing");
  const { body } = await backend.type(tenant.token, "workspaces rename marketing Growth");
  expect(await backend.run(tenant.token, `operations show ${body.operation}`)).toMatchObject({
    command: "workspaces rename",
    changes: [{ before: { name: "Marketing" }, after: { name: "Growth" } }],
  });
});

test("another person's is not found", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin");
  const { body } = await backend.type(tenant.token, "workspaces create Private");
  expect((await backend.type(rin.token, `operations show ${body.operation}`)).status).toBe(404);
});
