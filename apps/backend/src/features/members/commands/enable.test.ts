import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("lets the account sign in again at once, and undo disables it", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin");
  await backend.run(tenant.token, "members disable Rin");
  expect((await backend.type(rin.token, "whoami")).status).toBe(403);
  const { body } = await backend.type(tenant.token, `members enable ${tenant.addressOf("Rin")}`, {
    request: { want: "text" },
  });
  expect(body.text).toMatch(/^Enabled Rin\n/);
  expect((await backend.type(rin.token, "whoami")).status).toBe(200);
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect((await backend.type(rin.token, "whoami")).status).toBe(403);
});

test("says so if it is not disabled", async ({ backend, tenant }) => {
  await tenant.addPerson("Active");
  expect((await backend.type(tenant.token, "members enable Active")).body).toMatchObject({
    code: "conflict",
    detail: "Active is not disabled.",
  });
});

test("is for administrators", async ({ backend, tenant }) => {
  const friend = await tenant.addPerson("Friend");
  await tenant.addPerson("Out");
  await backend.run(tenant.token, "members disable Out");
  expect((await backend.type(friend.token, "members enable Out")).body.code).toBe("not_permitted");
});
