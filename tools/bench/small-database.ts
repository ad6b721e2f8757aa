import { join } from "node:path";
import { createTestDatabase } from "@svc/testing/test-database";
import { fillDatabase, smallestSize } from "./scale-data/fill-database.ts";
import { seedSampleTenant } from "./scale-data/sample-tenant.ts";

export interface SmallDatabase extends AsyncDisposable {
  adminUrl: string;
  appUrl: string;
  workerUrl: string;
  /** The token of the sample tenant's administrator. */
  token: string;
}

/** The sample tenant alone, in a temporary database. */
export async function createSmallDatabase(folder: string): Promise<SmallDatabase> {
  const { adminUrl, appUrl, workerUrl, drop } = await createTestDatabase({ isLikeProduction: true });
  try {
    const token = seedSampleTenant(adminUrl, join(folder, "small.token"));
    await fillDatabase(adminUrl, smallestSize);
    return { adminUrl, appUrl, workerUrl, token, [Symbol.asyncDispose]: drop };
  } catch (error) {
    await drop();
    throw error;
  }
}
