import { afterAll, beforeAll, expect, test } from "vitest";
import { startFixtureBackend } from "./fixture-backend.ts";
import type { TestBackend, TestTenant } from "./test-backend.ts";

let backend: TestBackend;
let tenant: TestTenant;
beforeAll(async () => {
  backend = await startFixtureBackend();
  tenant = await backend.addTenant();
});
afterAll(() => backend.close());

test("a command that throws fails the test that typed it, with the error and its line", async () => {
  const typed = backend.type(tenant.token, "notes fail");
  await expect(typed).rejects.toThrow(/notes fail: Error: .*\n +at .*notes\/commands\/fail\.ts:\d+/);
});
