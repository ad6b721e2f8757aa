import { Database } from "@svc/database/database";
import { sql } from "kysely";
import { onTestFinished, vi } from "vitest";
import { credentialCacheMillis } from "../../src/platform/identity/service-token-check.ts";
import type { TestBackend } from "../test-backend.ts";

/** Of all credentials that an account has; every process knows it. */
export async function changeScopes(
  { testDatabase }: TestBackend,
  principalId: string,
  scopes: string[],
): Promise<void> {
  const admin = new Database({ url: testDatabase.adminUrl, maxConnections: 1 });
  try {
    await admin.withDirectory((db) =>
      sql`update control.credential set scopes = ${scopes} where principal_id = ${principalId}`.execute(db),
    );
  } finally {
    await admin.close();
  }
  passCredentialCache();
}

/** Credentials are cached for a few seconds: until the end of the test, these have passed. */
function passCredentialCache(): void {
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, "now").mockImplementation(() => now() + credentialCacheMillis);
  onTestFinished(() => spy.mockRestore());
}
