import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("changes a setting, and undo restores the old value", async ({ backend }) => {
  const { token } = await backend.addTenant("Fresh", { workspaceCreation: "members" });
  const first = await backend.type(token, "settings set --workspace-creation everyone");
  const second = await backend.type(token, "settings set --workspace-creation administrators");
  expect(second.body.data).toEqual({ workspaceCreation: "administrators" });
  await backend.run(token, `operations undo ${second.body.operation}`);
  expect(await backend.run(token, "settings show")).toEqual({ workspaceCreation: "everyone" });
  await backend.run(token, `operations undo ${first.body.operation}`);
  expect(await backend.run(token, "settings show")).toEqual({ workspaceCreation: "members" });
});

test("refuses to undo after somebody changed it again", async ({ backend }) => {
  const { token } = await backend.addTenant("Fresh", { workspaceCreation: "members" });
  const { body } = await backend.type(token, "settings set --workspace-creation everyone");
  await backend.run(token, "settings set --workspace-creation administrators");
  expect((await backend.type(token, `operations undo ${body.operation}`)).body.code).toBe("conflict");
});

test("says so if nothing would change", async ({ backend }) => {
  const { token } = await backend.addTenant("Fresh", { workspaceCreation: "members" });
  const { body } = await backend.type(token, "settings set --workspace-creation members");
  expect(body).toMatchObject({ code: "conflict", detail: "No changes to apply." });
});

test("is for administrators", async ({ backend, tenant }) => {
  const person = await tenant.addPerson("Person");
  const { body } = await backend.type(person.token, "settings set --workspace-creation everyone");
  expect(body.code).toBe("not_permitted");
});
