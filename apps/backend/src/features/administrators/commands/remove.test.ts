import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("removes the right and keeps roles in workspaces; undo restores it", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin", { isAdministrator: true });
  await backend.run(tenant.token, "workspaces create Team");
  await backend.run(tenant.token, "members add Rin --role viewer --workspace team");
  const { body } = await backend.type(tenant.token, "administrators remove Rin", {
    request: { want: "text" },
  });
  expect(body.text).toMatch(/^Rin is no longer an administrator\n/);
  expect(await backend.run(rin.token, "workspaces get team")).toMatchObject({ role: "viewer" });
  expect((await backend.type(rin.token, "tokens create mine")).status).toBe(403);
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect((await backend.type(rin.token, "tokens create mine")).status).toBe(200);
});

test("an administrator can step down if there is another one", async ({ backend, tenant }) => {
  const tomas = await tenant.addPerson("Tomas", { isAdministrator: true });
  const { body } = await backend.type(tomas.token, "administrators remove Tomas");
  expect((await backend.type(tomas.token, `operations undo ${body.operation}`)).body.code).toBe(
    "not_permitted",
  );
});

test("keeps the last administrator", async ({ backend }) => {
  const tenant = await backend.addTenant();
  expect((await backend.type(tenant.token, "administrators remove root")).body).toMatchObject({
    code: "conflict",
    detail: "root is the last administrator of the tenant.",
    hint: "Make somebody else an administrator first with `svc administrators add`.",
  });
});

test("says so if the account is not an administrator", async ({ backend, tenant }) => {
  await tenant.addPerson("Plain");
  expect((await backend.type(tenant.token, "administrators remove Plain")).body).toMatchObject({
    code: "conflict",
    detail: "Plain is not an administrator.",
  });
});
