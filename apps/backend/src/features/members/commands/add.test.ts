import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test.beforeAll(async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Team");
});

test("adds somebody by e-mail address, and undo removes them", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin");
  const { body } = await backend.type(
    tenant.token,
    `members add ${tenant.addressOf("Rin")} -r editor --workspace team`,
  );
  expect(body.data).toMatchObject({ name: "Rin", role: "editor", workspace: "Team" });
  expect(await backend.run(rin.token, "workspaces get team")).toMatchObject({ role: "editor" });
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect((await backend.type(rin.token, "workspaces get team")).status).toBe(404);
});

test("changes the role of a member, and undo restores the old role", async ({ backend, tenant }) => {
  const tomas = await tenant.addPerson("Tomas");
  await backend.run(tenant.token, "members add Tomas --workspace team");
  const { body } = await backend.type(tenant.token, "members add Tomas --role owner --workspace team");
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(tomas.token, "workspaces get team")).toMatchObject({ role: "viewer" });
});

test("refuses an unknown person, and one of another tenant, in the same words", async ({
  backend,
  tenant,
}) => {
  const other = await backend.addTenant();
  await other.addPerson("Foreign");
  const foreign = await backend.type(tenant.token, "members add Foreign --workspace team");
  const unknown = await backend.type(tenant.token, "members add Unknown --workspace team");
  expect(foreign.body.code).toBe("not_found");
  expect(foreign.body.detail.replace("Foreign", "X")).toBe(unknown.body.detail.replace("Unknown", "X"));
});

test("an editor cannot add anybody", async ({ backend, tenant }) => {
  const editor = await tenant.addPerson("Ed");
  await tenant.addPerson("New");
  await backend.run(tenant.token, "members add Ed --role editor --workspace team");
  expect((await backend.type(editor.token, "members add New --workspace team")).body.code).toBe(
    "not_permitted",
  );
});
