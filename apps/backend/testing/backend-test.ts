import { test as base } from "vitest";
import { TestBackend, type TestTenant } from "./test-backend.ts";

interface Fixtures {
  $worker: {
    /** The whole backend with the real catalog, one for each worker: tests have their own tenants. */
    backend: TestBackend;
  };
  $file: {
    /** A tenant in it, with an administrator's token. */
    tenant: TestTenant;
  };
}

export const test = base.extend<Fixtures>({
  backend: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs off this pattern
    async ({}, use) => {
      const backend = await TestBackend.start();
      await use(backend);
      await backend.close();
    },
    { scope: "worker" },
  ],
  tenant: [async ({ backend }, use) => use(await backend.addTenant()), { scope: "file" }],
});
