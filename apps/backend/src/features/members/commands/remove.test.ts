import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test.beforeAll(async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Team");
});

test("takes effect with the next call, and undo restores the role", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin");
  await backend.run(tenant.token, "members add Rin --role editor --workspace team");
  const { body } = await backend.type(tenant.token, "members remove Rin --workspace team");
  expect((await backend.type(rin.token, "workspaces get team")).status).toBe(404);
  await backend.run(tenant.token, `operations undo ${body.operation}`);
  expect(await backend.run(rin.token, "workspaces get team")).toMatchObject({ role: "editor" });
});

test("keeps the last owner", async ({ backend, tenant }) => {
  const { body } = await backend.type(tenant.token, "members remove root --workspace team");
  expect(body).toMatchObject({
    code: "conflict",
    hint: "Make somebody else an owner first with `svc members add`.",
  });
});

test("two owners who remove each other at the same time leave one owner", async ({ backend, tenant }) => {
  const a = await tenant.addPerson("OwnerA");
  const b = await tenant.addPerson("OwnerB");
  await backend.run(a.token, "workspaces create Duel");
  await backend.run(a.token, `members add ${tenant.addressOf("OwnerB")} --role owner --workspace duel`);
  const answers = await Promise.all([
    backend.type(a.token, "members remove OwnerB --workspace duel"),
    backend.type(b.token, "members remove OwnerA --workspace duel"),
  ]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("says so if they are not a member", async ({ backend, tenant }) => {
  await tenant.addPerson("Outsider");
  expect((await backend.type(tenant.token, "members remove Outsider --workspace team")).body.code).toBe(
    "not_found",
  );
});
