import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import { asAdmin } from "../../../../testing/worker-test.ts";

test("changes a setting, and undo restores the old value", async ({ backend }) => {
  const { token } = await backend.addTenant("Fresh", { workspaceCreation: "members" });
  const first = await backend.type(token, "settings set --workspace-creation everyone");
  const second = await backend.type(token, "settings set --workspace-creation administrators");
  expect(second.body.data).toMatchObject({ workspaceCreation: "administrators" });
  await backend.run(token, `operations undo ${second.body.operation}`);
  expect(await backend.run(token, "settings show")).toMatchObject({ workspaceCreation: "everyone" });
  await backend.run(token, `operations undo ${first.body.operation}`);
  expect(await backend.run(token, "settings show")).toMatchObject({ workspaceCreation: "members" });
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

test("keeps what it was not told to change, and undo restores only what it changed", async ({ backend }) => {
  const { token } = await backend.addTenant("Fresh", { workspaceCreation: "members" });
  const demands = ["--approvals-for", "records", "--approvals-for", "files delete"];
  const { body } = await backend.type(token, ["settings", "set", ...demands, "--approval-minutes", "120"]);
  const demanding = {
    workspaceCreation: "members",
    approvalsFor: ["files delete", "records"],
    approvalMinutes: 120,
  };
  expect(body.data).toEqual(demanding);
  const second = await backend.type(token, "settings set --approvals-for none");
  expect(second.body.data).toEqual({ ...demanding, approvalsFor: [] });
  await backend.run(token, `operations undo ${second.body.operation}`);
  expect(await backend.run(token, "settings show")).toEqual(demanding);
  await backend.run(token, `operations undo ${body.operation}`);
  const usual = { workspaceCreation: "members", approvalsFor: [], approvalMinutes: 10 };
  expect(await backend.run(token, "settings show")).toEqual(usual);
});

test("records only what it changed, so that a version that knows less refuses to undo the rest", async ({
  backend,
}) => {
  const tenant = await backend.addTenant("Fresh", { workspaceCreation: "members" });
  const { body } = await backend.type(tenant.token, "settings set --approval-minutes 120");
  const recorded = await asAdmin({ backend }, async (admin) => {
    const { rows } = await admin.query("select undo_payload from app.operation where tenant_id = $1", [
      tenant.id,
    ]);
    return rows[0]?.undo_payload;
  });
  expect(recorded).toEqual({
    left: { approvalMinutes: 120, version: expect.any(Number) },
    before: { approvalMinutes: 10, version: expect.any(Number) },
  });
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(tenant.token, "settings show")).toMatchObject({ approvalMinutes: 10 });
});

test.for(["people", "files list"])(
  "refuses a rule about %s, which changes nothing",
  async (name, { backend, tenant }) => {
    const { body } = await backend.type(tenant.token, ["settings", "set", "--approvals-for", name]);
    expect(body).toMatchObject({ code: "usage", detail: `\`${name}\` only reads, which needs no approval.` });
  },
);

test("refuses a rule about a command that does not exist", async ({ backend, tenant }) => {
  const { body } = await backend.type(tenant.token, ["settings", "set", "--approvals-for", "files remove"]);
  expect(body).toMatchObject({ code: "usage", detail: "There is no command or group `files remove`." });
});
