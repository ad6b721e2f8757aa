import { test as base } from "vitest";
import { TestBackend, type TestTenant } from "./test-backend.ts";

interface Backend {
  /** The whole backend with the real catalog. */
  backend: TestBackend;
}

interface Tenant {
  /** A tenant in it, with an administrator's token. */
  tenant: TestTenant;
}

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs off this pattern
const backend = async ({}, use: (backend: TestBackend) => Promise<void>) => {
  const started = await TestBackend.start();
  await use(started);
  await started.close();
};
const tenant = async ({ backend }: Backend, use: (tenant: TestTenant) => Promise<void>) =>
  use(await backend.addTenant());

/** One backend for all files of a worker: tests have their own tenants. */
export const test = base.extend<{ $worker: Backend; $file: Tenant }>({
  backend: [backend, { scope: "worker" }],
  tenant: [tenant, { scope: "file" }],
});

/** A backend for the file alone: for tests of what looks at every tenant. */
export const testAlone = base.extend<{ $file: Backend & Tenant }>({
  backend: [backend, { scope: "file" }],
  tenant: [tenant, { scope: "file" }],
});
