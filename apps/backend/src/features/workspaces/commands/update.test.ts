import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("switches semantic search on and off, and undo switches it back", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Marketing");
  const { body } = await backend.type(tenant.token, "workspaces update marketing --semantic-search on");
  expect(body.data).toMatchObject({ name: "Marketing", semanticSearchEnabled: true });
  expect(await backend.run(tenant.token, "workspaces get marketing")).toMatchObject({
    semanticSearchEnabled: true,
  });
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(tenant.token, "workspaces get marketing")).toMatchObject({
    semanticSearchEnabled: false,
  });
});

test("setting the current value changes nothing, and neither does its undo", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Still");
  const { body } = await backend.type(tenant.token, "workspaces update still --semantic-search off");
  expect(body).toMatchObject({ data: { semanticSearchEnabled: false } });
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(tenant.token, "workspaces get still")).toMatchObject({
    semanticSearchEnabled: false,
  });
});

test("only an owner can", async ({ backend, tenant }) => {
  const editor = await tenant.addPerson("Editor");
  await backend.run(tenant.token, "workspaces create Owned");
  await backend.run(tenant.token, "members add Editor --role editor --workspace owned");
  const { body } = await backend.type(editor.token, "workspaces update owned --semantic-search on");
  expect(body.code).toBe("not_permitted");
});

test("requires a setting to change", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Vague");
  expect((await backend.type(tenant.token, "workspaces update vague")).status).toBe(400);
  expect((await backend.type(tenant.token, "workspaces update vague --semantic-search maybe")).status).toBe(
    400,
  );
});
