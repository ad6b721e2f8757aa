import { loadCatalog } from "@svc/command-router/catalog";
import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { featuresFolder } from "../../../platform/process/features-folder.ts";

const catalog = await loadCatalog<CommandContext>(featuresFolder);

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

test("passes on each scope that the caller has, and no other", async ({ backend, tenant }) => {
  const scopes = [...catalog.scopes, "*"];
  const held = ["tokens:write", "files:read"];
  const limited = await tenant.addPerson("Holder", { isAdministrator: true, scopes: held });
  const created = [];
  for (const [index, scope] of scopes.entries()) {
    const line = `tokens create limited-${index} --scope ${scope}`;
    const { status, body } = await backend.type(limited.token, line);
    if (status === 200) created.push(scope);
    else expect([scope, body.code]).toEqual([scope, "not_permitted"]);
    expect((await backend.type(tenant.token, `tokens create all-${index} --scope ${scope}`)).status).toBe(
      200,
    );
  }
  expect(created).toEqual(held.toSorted());
});

test("refuses a scope that no command needs, also from those who have all", async ({ backend, tenant }) => {
  const misspelt = catalog.scopes.flatMap((scope) => [`${scope}s`, scope.replace(/.:/, ":"), `x${scope}`]);
  const unknown = misspelt.filter((scope) => !catalog.scopes.includes(scope));
  for (const scope of ["files:red", "files:delete", ...unknown]) {
    const { body } = await backend.type(
      tenant.token,
      `tokens create odd --scope files:read --scope ${scope}`,
    );
    expect([scope, body.code, body.detail]).toEqual([scope, "usage", `There is no scope \`${scope}\`.`]);
  }
  const { body } = await backend.type(tenant.token, "tokens create odd --scope files:red");
  expect(body.hint).toBe("Did you mean `files:read`?");
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
