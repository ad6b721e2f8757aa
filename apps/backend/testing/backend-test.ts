import { test as base } from "vitest";
import { TestBackend, type TestTenant } from "./test-backend.ts";

interface FileFixtures {
  $file: {
    /** The whole backend with the real catalog, one for each test file. */
    backend: TestBackend;
    /** A tenant in it, with an administrator's token. */
    tenant: TestTenant;
  };
}

export const test = base.extend<FileFixtures>({
  backend: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs off this pattern
    async ({}, use) => {
      const backend = await TestBackend.start();
      await use(backend);
      await backend.close();
    },
    { scope: "file" },
  ],
  tenant: [async ({ backend }, use) => use(await backend.addTenant()), { scope: "file" }],
});
