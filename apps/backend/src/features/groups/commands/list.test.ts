import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("shows groups with their number of members, page by page", async ({ backend, tenant }) => {
  for (const name of ["A", "B"]) await backend.run(tenant.token, `groups create ${name}`);
  await backend.run(tenant.token, "groups add A B");
  const first = await backend.run<{ items: object[]; nextCursor: string }>(tenant.token, "groups list -n 1");
  expect(first.items).toMatchObject([{ name: "A", members: 1 }]);
  expect(await backend.run(tenant.token, `groups list --cursor ${first.nextCursor}`)).toMatchObject({
    items: [{ name: "B", members: 0 }],
  });
});
