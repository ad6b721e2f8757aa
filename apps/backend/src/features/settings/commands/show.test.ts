import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("shows administrators the defaults if nobody has changed them", async ({ backend }) => {
  const tenant = await backend.addTenant("Fresh", { workspaceCreation: "members" });
  expect(await backend.run(tenant.token, "settings show")).toEqual({
    workspaceCreation: "members",
    approvalsFor: [],
    approvalMinutes: 10,
  });
});

test("is for administrators", async ({ backend, tenant }) => {
  const person = await tenant.addPerson("Person");
  expect((await backend.type(person.token, "settings show")).body.code).toBe("not_permitted");
});
