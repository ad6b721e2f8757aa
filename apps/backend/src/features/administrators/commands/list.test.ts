import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("shows people and service accounts, page by page, and which of them are disabled", async ({
  backend,
  tenant,
}) => {
  await tenant.addPerson("Rin", { isAdministrator: true });
  await tenant.addPerson("Tomas", { isAdministrator: true });
  await tenant.addPerson("Nobody");
  await backend.run(tenant.token, "members disable Tomas");
  interface Page {
    items: { name: string; kind: string; state: string; email?: string }[];
    nextCursor: string;
  }
  const first = await backend.run<Page>(tenant.token, "administrators list --limit 2");
  const second = await backend.run<Page>(tenant.token, `administrators list --cursor ${first.nextCursor}`);
  expect(
    [...first.items, ...second.items].map(({ name, kind, state }) => `${name} ${kind} ${state}`),
  ).toEqual(["root service active", "Rin user active", "Tomas user disabled"]);
  expect(first.items[1]?.email).toBe(tenant.addressOf("Rin"));
});

test("is for administrators", async ({ backend, tenant }) => {
  const person = await tenant.addPerson("Curious");
  expect((await backend.type(person.token, "administrators list")).body.code).toBe("not_permitted");
});
