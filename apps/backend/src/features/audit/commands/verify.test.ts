import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";

test("an empty chain is intact", async ({ backend }) => {
  const { token } = await backend.addTenant();
  expect(await backend.run(token, "audit verify")).toEqual({ entries: 0, intact: true });
});

test("stays intact under writes that run at the same time", async ({ backend, tenant }) => {
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => backend.run(tenant.token, `workspaces create Parallel${index}`)),
  );
  const { body } = await backend.type(tenant.token, "audit verify");
  expect(body).toMatchObject({ exitCode: 0, data: { entries: 20, intact: true } });
});
