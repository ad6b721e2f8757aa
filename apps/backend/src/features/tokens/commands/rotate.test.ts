import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import type { TestBackend, TestTenant } from "../../../../testing/test-backend.ts";

async function rotated(backend: TestBackend, { token }: TestTenant, name: string, graceHours: number) {
  const before = await backend.run<{ token: string }>(token, `tokens create ${name}`);
  const after = await backend.run<{ token: string }>(
    token,
    `tokens rotate ${name} --grace-hours ${graceHours}`,
  );
  return { before: before.token, after: after.token };
}

test("both secrets work during the grace period", async ({ backend, tenant }) => {
  const { before, after } = await rotated(backend, tenant, "graceful", 1);
  expect((await backend.type(after, "whoami")).status).toBe(200);
  expect((await backend.type(before, "whoami")).status).toBe(200);
});

test("without a grace period the old secret is refused", async ({ backend, tenant }) => {
  const { before, after } = await rotated(backend, tenant, "strict", 0);
  expect((await backend.type(before, "whoami")).status).toBe(401);
  expect((await backend.type(after, "whoami")).status).toBe(200);
});

test("does not find a token that does not exist", async ({ backend, tenant }) => {
  expect((await backend.type(tenant.token, "tokens rotate nothing")).body.code).toBe("not_found");
});
