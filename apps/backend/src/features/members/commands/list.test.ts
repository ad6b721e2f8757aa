import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test.beforeAll(async ({ backend, tenant }) => {
  await backend.run(tenant.token, "workspaces create Team");
});

test("shows everybody with their role, page by page", async ({ backend, tenant }) => {
  for (const name of ["A", "B", "C"]) {
    await tenant.addPerson(name);
    await backend.run(tenant.token, `members add ${name} --workspace team`);
  }
  interface Page {
    items: { name: string; role: string }[];
    nextCursor: string;
  }
  const first = await backend.run<Page>(tenant.token, "members list --workspace team --limit 3");
  const second = await backend.run<Page>(
    tenant.token,
    `members list --workspace team --cursor ${first.nextCursor}`,
  );
  expect([...first.items, ...second.items].map(({ name, role }) => `${name} ${role}`)).toEqual([
    "root owner",
    "A viewer",
    "B viewer",
    "C viewer",
  ]);
});

test("is hidden from people who are not in the workspace", async ({ backend, tenant }) => {
  const outsider = await tenant.addPerson("Outsider");
  expect((await backend.type(outsider.token, "members list --workspace team")).status).toBe(404);
});
