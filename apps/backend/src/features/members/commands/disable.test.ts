import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("refuses every call of the account, keeps its roles, and undo enables it", async ({
  backend,
  tenant,
}) => {
  const rin = await tenant.addPerson("Rin");
  await backend.run(tenant.token, "workspaces create Team");
  await backend.run(tenant.token, "members add Rin --role editor --workspace team");
  const { body } = await backend.type(tenant.token, `members disable ${tenant.addressOf("Rin")}`, {
    request: { want: "text" },
  });
  expect(body.text).toMatch(/^Disabled Rin\n/);
  expect((await backend.type(rin.token, "whoami")).body).toMatchObject({
    code: "not_permitted",
    detail: "Your account is disabled.",
    hint: "Ask an administrator of your tenant to enable it.",
  });
  const { items } = await backend.run<{ items: object[] }>(tenant.token, "members list --workspace team");
  expect(items).toContainEqual(expect.objectContaining({ name: "Rin", role: "editor", state: "disabled" }));

  const { body: undo } = await backend.type(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(rin.token, "workspaces get team")).toMatchObject({ role: "editor" });
  await backend.run(tenant.token, `operations undo ${undo.operation}`);
  expect((await backend.type(rin.token, "whoami")).status).toBe(403);
});

test("is for administrators", async ({ backend, tenant }) => {
  const owner = await tenant.addPerson("Owner");
  await tenant.addPerson("Target");
  for (const target of ["Target", "Nobody"]) {
    const { body } = await backend.type(owner.token, `members disable ${target}`);
    expect(body.code).toBe("not_permitted");
  }
});

test("stops service accounts and AI members too, with all their tokens", async ({ backend, tenant }) => {
  for (const kind of ["service", "ai"] as const) {
    const account = await tenant.addPerson(`some-${kind}`, { kind });
    const second = await tenant.addToken(account.id, { name: "second" });
    await backend.run(tenant.token, `members disable some-${kind}`);
    for (const token of [account.token, second]) {
      expect((await backend.type(token, "whoami")).status).toBe(403);
    }
  }
});

test("says so if it is already disabled or does not exist", async ({ backend, tenant }) => {
  await tenant.addPerson("Twice");
  await backend.run(tenant.token, "members disable Twice");
  expect((await backend.type(tenant.token, "members disable Twice")).body).toMatchObject({
    code: "conflict",
    detail: "Twice is already disabled.",
  });
  expect((await backend.type(tenant.token, "members disable Unknown")).body.code).toBe("not_found");
});

test("undo leaves a later change by another administrator alone", async ({ backend, tenant }) => {
  const other = await tenant.addPerson("Other", { isAdministrator: true });
  await tenant.addPerson("Disputed");
  const { body } = await backend.type(tenant.token, "members disable Disputed");
  await backend.run(other.token, "members enable Disputed");
  await backend.run(other.token, "members disable Disputed");
  expect((await backend.type(tenant.token, `operations undo ${body.operation}`)).body.code).toBe("conflict");
});
