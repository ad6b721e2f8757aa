import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("a bare delete commits at once and prints how to undo it, and undo restores the workspace", async ({
  backend,
  tenant,
}) => {
  const { id } = await backend.run<{ id: string }>(tenant.token, "workspaces create Old");
  const { body } = await backend.type(tenant.token, "workspaces delete old", { request: { want: "text" } });
  expect(body.committed).toBe(true);
  expect(body.text).toContain(`Undo: svc undo ${body.operation?.slice(-4)}`);
  expect((await backend.type(tenant.token, "workspaces get old")).status).toBe(404);
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(tenant.token, "workspaces get old")).toMatchObject({ id });
});

test.for(["--dry-run", "--confirm false", "--confirm=false"])(
  "%s previews only",
  async (flag, { backend }) => {
    const { token } = await backend.addTenant();
    await backend.run(token, "workspaces create Kept");
    const { body } = await backend.type(token, `workspaces delete kept ${flag}`);
    expect(body).toMatchObject({ committed: false, preview: { changes: [{ action: "delete" }] } });
    expect(await backend.run(token, "workspaces get kept")).toBeDefined();
  },
);

test("an AI member previews by default and commits with the preview's token", async ({ backend, tenant }) => {
  const assistant = await tenant.addPerson("Assistant", { kind: "ai" });
  await backend.run(tenant.token, "workspaces create Draft");
  await backend.run(tenant.token, "members add Assistant --role owner --workspace draft");
  const preview = await backend.type(assistant.token, "workspaces delete draft");
  expect(preview.body.committed).toBe(false);
  expect((await backend.type(assistant.token, "workspaces delete draft --confirm true")).body).toMatchObject({
    code: "confirmation_required",
    exitCode: 24,
  });
  const committed = await backend.type(
    assistant.token,
    `workspaces delete draft --confirm ${preview.body.preview?.token}`,
  );
  expect(committed.body.committed).toBe(true);
});

test("a trashed workspace frees its slug, and cannot be restored once it is taken", async ({
  backend,
  tenant,
}) => {
  await backend.run(tenant.token, "workspaces create Slot");
  const { body } = await backend.type(tenant.token, "workspaces delete slot");
  await backend.run(tenant.token, "workspaces create Slot");
  expect((await backend.type(tenant.token, `operations undo ${body.operation}`)).body.code).toBe("conflict");
});
