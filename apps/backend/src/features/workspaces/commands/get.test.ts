import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

let id: string;

test.beforeAll(async ({ backend, tenant }) => {
  ({ id } = await backend.run<{ id: string }>(tenant.token, ["workspaces", "create", "Field Research"]));
});

test.for(["field-research", "Field Research"])("finds it as %s", async (target, { backend, tenant }) => {
  expect(await backend.run(tenant.token, ["workspaces", "get", target])).toMatchObject({ id });
});

test("finds it by id, and without a target as the workspace of the call", async ({ backend, tenant }) => {
  expect(await backend.run(tenant.token, `workspaces get ${id}`)).toMatchObject({ name: "Field Research" });
  expect(await backend.run(tenant.token, `workspaces get --workspace ${id}`)).toMatchObject({ id });
});

test("says what is missing without a target and a workspace", async ({ backend, tenant }) => {
  const { body } = await backend.type(tenant.token, "workspaces get");
  expect(body).toMatchObject({ code: "usage", exitCode: 20, hint: "Choose one with --workspace." });
});

test("answers for a hidden workspace exactly as for one that does not exist", async ({ backend, tenant }) => {
  const stranger = await tenant.addPerson("Stranger");
  const other = await backend.addTenant();
  const hidden = await backend.type(stranger.token, `workspaces get ${id}`);
  const foreign = await backend.type(other.token, `workspaces get ${id}`);
  const missing = await backend.type(stranger.token, `workspaces get ws_${"0".repeat(26)}`);
  expect(hidden.status).toBe(404);
  const shape = ({ body: { requestId, detail, ...rest } }: typeof hidden) => rest;
  expect(shape(hidden)).toEqual(shape(missing));
  expect(shape(foreign)).toEqual(shape(missing));
  expect(hidden.body.detail.replace(id, "X")).toBe(missing.body.detail.replace(`ws_${"0".repeat(26)}`, "X"));
});
