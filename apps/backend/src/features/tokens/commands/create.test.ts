import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("creates an account whose token works and is limited to its scopes", async ({ backend, tenant }) => {
  const { token } = await backend.run<{ token: string }>(
    tenant.token,
    "tokens create ci --scope workspaces:read",
  );
  expect(await backend.run(token, "whoami")).toMatchObject({
    kind: "service",
    name: "ci",
    isAdministrator: false,
  });
  expect(await backend.run(token, "workspaces list")).toMatchObject({ items: [] });
  expect((await backend.type(token, "workspaces create Nope")).body).toMatchObject({ code: "not_permitted" });
});

test("an AI account previews by default", async ({ backend, tenant }) => {
  const { token } = await backend.run<{ token: string }>(tenant.token, "tokens create helper --kind ai");
  expect((await backend.type(token, "workspaces create Idea")).body.committed).toBe(false);
});

test("nobody can give a token more than they have", async ({ backend, tenant }) => {
  const limited = await tenant.addPerson("Limited", { isAdministrator: true, scopes: ["tokens:write"] });
  expect((await backend.type(limited.token, "tokens create wide")).body.code).toBe("not_permitted");
  expect((await backend.type(limited.token, "tokens create same --scope tokens:write")).status).toBe(200);
});

test("is for administrators", async ({ backend, tenant }) => {
  const person = await tenant.addPerson("Person");
  expect((await backend.type(person.token, "tokens create mine")).body.code).toBe("not_permitted");
});

test("stores a network in canonical form, and refuses an invalid one", async ({ backend, tenant }) => {
  expect(
    await backend.run(tenant.token, "tokens create office --network 10.1.2.3/8 --network 2001:db8::1"),
  ).toMatchObject({ networks: ["10.0.0.0/8", "2001:db8::1/128"] });
  expect((await backend.type(tenant.token, "tokens create odd --network 10.0.0.0/99")).status).toBe(400);
});

test("a preview creates neither account nor token", async ({ backend, tenant }) => {
  await backend.type(tenant.token, "tokens create ghost --dry-run");
  const { items } = await backend.run<{ items: { name: string }[] }>(tenant.token, "tokens list");
  expect(items.map(({ name }) => name)).not.toContain("ghost");
});
