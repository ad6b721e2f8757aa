import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBackend, type TestTenant } from "../../../../testing/test-backend.ts";

let backend: TestBackend;
let tenant: TestTenant;

beforeAll(async () => {
  backend = await TestBackend.start();
  tenant = await backend.addTenant("Kumo Trading");
});
afterAll(() => backend.close());

test("says who is calling, from the credential alone", async () => {
  const { token } = await tenant.addPerson("Rin");
  expect(await backend.run(token, "whoami")).toMatchObject({
    kind: "human",
    name: "Rin",
    isAdministrator: false,
    tenantName: "Kumo Trading",
    scopes: ["*"],
  });
});

test("ignores a tenant that the caller claims in a header", async () => {
  const other = await backend.addTenant("Other");
  const { body } = await backend.type(tenant.token, "whoami", { headers: { "x-tenant-id": other.id } });
  expect(body.data).toMatchObject({ tenantName: "Kumo Trading" });
});

test("needs no scope, so that every token can be looked at", async () => {
  const { token } = await tenant.addPerson("Narrow", { scopes: ["audit:read"] });
  const { body } = await backend.type(token, "whoami");
  expect(body.text).toContain("Scopes      audit:read");
});
