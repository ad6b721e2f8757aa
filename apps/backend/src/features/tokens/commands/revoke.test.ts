import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("a token that was never used stops working at once", async ({ backend, tenant }) => {
  const { token, id } = await backend.run<{ token: string; id: string }>(
    tenant.token,
    "tokens create leaked",
  );
  await backend.run(tenant.token, `tokens revoke ${id}`);
  expect((await backend.type(token, "whoami")).status).toBe(401);
});

test("a token of another tenant is not found", async ({ backend, tenant }) => {
  const other = await backend.addTenant();
  const { id } = await backend.run<{ id: string }>(other.token, "tokens create theirs");
  expect((await backend.type(tenant.token, `tokens revoke ${id}`)).body.code).toBe("not_found");
});

test("asks for the id if several tokens have the same name", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "tokens create twin");
  await backend.run(tenant.token, "tokens create twin");
  expect((await backend.type(tenant.token, "tokens revoke twin")).body).toMatchObject({
    code: "conflict",
    hint: "Use the id.",
  });
});
