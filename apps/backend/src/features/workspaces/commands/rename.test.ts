import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("changes name and slug, keeps the id, and undo restores the old name", async ({ backend, tenant }) => {
  const { id } = await backend.run<{ id: string }>(tenant.token, "workspaces create Marketing");
  const { body } = await backend.type(tenant.token, "workspaces rename marketing Growth");
  expect(body.data).toMatchObject({ id, name: "Growth", slug: "growth" });
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(tenant.token, `workspaces get ${id}`)).toMatchObject({
    name: "Marketing",
    slug: "marketing",
  });
});

test("refuses to undo if somebody renamed it again", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create One");
  const { body } = await backend.type(tenant.token, "workspaces rename one Two");
  await backend.run(tenant.token, "workspaces rename two Three");
  const undo = await backend.type(tenant.token, `operations undo ${body.operation}`);
  expect(undo.body).toMatchObject({ code: "conflict" });
  expect(await backend.run(tenant.token, "workspaces get three")).toMatchObject({ name: "Three" });
});

test("refuses a name that is taken", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Taken");
  await backend.run(tenant.token, "workspaces create Free");
  expect((await backend.type(tenant.token, "workspaces rename free Taken")).body.code).toBe("conflict");
});

test("only an owner can; others who can see it are told so", async ({ backend, tenant }) => {
  const editor = await tenant.addPerson("Editor");
  await backend.run(tenant.token, "workspaces create Owned");
  await backend.run(tenant.token, "members add Editor --role editor --workspace owned");
  const { status, body } = await backend.type(editor.token, "workspaces rename owned Stolen");
  expect(status).toBe(403);
  expect(body).toMatchObject({ code: "not_permitted", exitCode: 12 });
});
