import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("an operation is undone once", async ({ backend, tenant }) => {
  const { body } = await backend.type(tenant.token, "workspaces create Once");
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect((await backend.type(tenant.token, `operations undo ${body.operation}`)).body.code).toBe("conflict");
});

test("two at once undo it once", async ({ backend, tenant }) => {
  const { body } = await backend.type(tenant.token, "workspaces create Race");
  const answers = await Promise.all(
    [1, 2].map(() => backend.type(tenant.token, `operations undo ${body.operation}`)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("a preview of an undo shows what it would restore, and changes nothing", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Trashed");
  const { body } = await backend.type(tenant.token, "workspaces delete trashed");
  const preview = await backend.type(tenant.token, `operations undo ${body.operation} --dry-run`);
  expect(preview.body.preview?.changes).toMatchObject([{ action: "create", name: "Trashed" }]);
  expect((await backend.type(tenant.token, "workspaces get trashed")).status).toBe(404);
});

test("somebody who lost access to the workspace cannot undo there", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin");
  await backend.run(rin.token, "workspaces create Lent");
  const { body } = await backend.type(rin.token, "workspaces rename lent Borrowed");
  await backend.run(tenant.token, "members add root --role owner --workspace borrowed");
  await backend.run(tenant.token, "members add Rin --role viewer --workspace borrowed");
  expect((await backend.type(rin.token, `operations undo ${body.operation}`)).body.code).toBe(
    "not_permitted",
  );
});
