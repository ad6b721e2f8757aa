import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("makes somebody an administrator, and undo takes it back", async ({ backend, tenant }) => {
  const rin = await tenant.addPerson("Rin");
  const { body } = await backend.type(tenant.token, `administrators add ${tenant.addressOf("Rin")}`, {
    request: { want: "text" },
  });
  expect(body.text).toMatch(/^Rin is now an administrator\n/);
  expect((await backend.type(rin.token, "administrators list")).status).toBe(200);
  const { body: undo } = await backend.type(tenant.token, `operations undo ${body.operation}`);
  expect((await backend.type(rin.token, "administrators list")).status).toBe(403);
  await backend.run(tenant.token, `operations undo ${undo.operation}`);
  expect((await backend.type(rin.token, "administrators list")).status).toBe(200);
});

test("appears in the audit log with the name of the new administrator", async ({ backend, tenant }) => {
  await tenant.addPerson("Noted");
  await backend.run(tenant.token, "administrators add Noted");
  const { items } = await backend.run<{ items: { command: string }[] }>(tenant.token, "audit list --limit 1");
  expect(JSON.stringify(items)).toContain("administrators add");
  expect(JSON.stringify(items)).toContain("Noted");
});

test("refuses an account that is already an administrator, and an unknown name", async ({
  backend,
  tenant,
}) => {
  const detail = async (name: string) =>
    (await backend.type(tenant.token, `administrators add ${name}`)).body.detail;
  expect(await detail("root")).toBe("root is already an administrator.");
  expect(await detail("Unknown")).toBe("No account matches `Unknown`.");
});

test("asks for an id if two accounts have the same name", async ({ backend, tenant }) => {
  await tenant.addPerson("Same", { kind: "service" });
  await tenant.addPerson("Same");
  expect((await backend.type(tenant.token, "administrators add Same")).body).toMatchObject({
    code: "conflict",
    detail: "More than one account matches `Same`.",
  });
});

test("is for administrators", async ({ backend, tenant }) => {
  const person = await tenant.addPerson("Ambitious");
  expect((await backend.type(person.token, "administrators add Ambitious")).body.code).toBe("not_permitted");
});
