import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import type { TestBackend, TestTenant } from "../../../../testing/test-backend.ts";

async function rotated(backend: TestBackend, { token }: TestTenant, name: string, option = "") {
  const before = await backend.run<{ token: string }>(token, `tokens create ${name}`);
  const after = await backend.run<{ token: string }>(token, `tokens rotate ${name}${option}`);
  return { before: before.token, after: after.token };
}

test("both secrets work during the grace period", async ({ backend, tenant }) => {
  const { before, after } = await rotated(backend, tenant, "graceful", " --grace-hours 1");
  expect((await backend.type(after, "whoami")).status).toBe(200);
  expect((await backend.type(before, "whoami")).status).toBe(200);
});

test.for(["", " --grace-hours 0"])(
  "with `%s` the old secret is refused",
  async (option, { backend, tenant }) => {
    const { before, after } = await rotated(backend, tenant, `strict${option.length}`, option);
    expect((await backend.type(before, "whoami")).status).toBe(401);
    expect((await backend.type(after, "whoami")).status).toBe(200);
  },
);

test("does not find a token that does not exist", async ({ backend, tenant }) => {
  expect((await backend.type(tenant.token, "tokens rotate nothing")).body.code).toBe("not_found");
});

test("says until when the old secret works", async ({ backend, tenant }) => {
  await backend.run(tenant.token, "tokens create told");
  const rotate = (option: string) =>
    backend.type(tenant.token, `tokens rotate told${option}`, { request: { want: "text" } });
  const { body: atOnce } = await rotate("");
  expect(atOnce.text).toMatch(/^Rotated token told; the old secret stops working within ten seconds\n/);
  const { body: later } = await rotate(" --grace-hours 2");
  expect(later.text).toMatch(/^Rotated token told; the old secret works until /);
});
