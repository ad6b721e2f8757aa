import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("an operation is undone once", async ({ backend, tenant }) => {
  const { body } = await backend.type(tenant.token, "workspaces create Once");
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect((await backend.type(tenant.token, `operations undo ${body.operation}`)).body.code).toBe("conflict");
});

test("two bare ones at once undo it once", async ({ backend, tenant }) => {
  const { token } = await tenant.addPerson("Uma");
  await backend.run(token, "workspaces create Only");
  const answers = await Promise.all([1, 2].map(() => backend.type(token, "undo")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("without an id it takes the latest, and the audit log names it", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create First");
  const { body } = await backend.type(tenant.token, "workspaces create Second");
  expect((await backend.type(tenant.token, "undo")).body.data).toEqual({
    id: body.operation,
    command: "workspaces create",
    summary: "create workspace Second",
    redone: false,
  });
  const { items } = await backend.run<{ items: unknown[] }>(tenant.token, "audit list --limit 1");
  expect(items).toMatchObject([
    { command: "operations undo", arguments: JSON.stringify({ operation: body.operation }) },
  ]);
});

test("its preview is confirmed only while it would do the same", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Previewed");
  const preview = await backend.type(tenant.token, "undo --dry-run");
  const confirm = `undo --confirm ${preview.body.preview?.token}`;
  await backend.run(tenant.token, "workspaces create Newer");
  expect((await backend.type(tenant.token, confirm)).body.code).toBe("conflict");
});

test("an undo prints how to redo it, a redo how to undo it, and bare undo counts a redo", async ({
  backend,
  tenant,
}) => {
  const text = { request: { want: "text" as const } };
  await backend.run(tenant.token, "workspaces create Again");
  const undone = await backend.type(tenant.token, "undo", text);
  expect(undone.body.text).toBe(
    `Undone: create workspace Again\nRedo: svc undo ${undone.body.operation?.slice(-4)}`,
  );
  const redone = await backend.type(tenant.token, `undo ${undone.body.operation?.slice(-4)}`, text);
  expect(redone.body.text).toContain(`\nUndo: svc undo ${redone.body.operation?.slice(-4)}`);
  expect(await backend.run(tenant.token, "workspaces get again")).toMatchObject({ name: "Again" });
  expect((await backend.type(tenant.token, "undo")).body.data).toMatchObject({ id: redone.body.operation });
  expect((await backend.type(tenant.token, "workspaces get again")).status).toBe(404);
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
