import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { allowRoleLogins, databaseUrl, ensureDatabase, roleUrl } from "@svc/database/development-server";
import { migrate } from "@svc/database/migrate";
import { MigrationMismatch } from "@svc/database/migration-record";
import { checkoutDatabaseName } from "./checkout-database.ts";

/** Fills this checkout's database with the sample company; existing data stays unchanged. */
export async function seedCheckout(
  folder: string,
): Promise<{ database: string; tokenFile: string; peopleFolder: string }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  runOrExit(["tools/database.ts", "up"], process.env);
  const database = checkoutDatabaseName();
  await ensureDatabase(database);
  const applied = await migrate(databaseUrl(database)).catch((error: unknown) => {
    if (!(error instanceof MigrationMismatch)) throw error;
    console.error(`${error.message}\nTo begin again with an empty database: npm run db:reset`);
    process.exit(1);
  });
  if (applied.length > 0) console.log(`applied ${applied.join(", ")}`);
  await allowRoleLogins();
  const tokenFile = `${folder}/${database}.token`;
  runOrExit(["apps/backend/src/entrypoints/seed.ts"], {
    ...process.env,
    SVC_ADMIN_DATABASE_URL: databaseUrl(database),
    SVC_DATABASE_URL: roleUrl("svc_app", database),
    SVC_BLOB_FOLDER: `${folder}/blobs`,
    SVC_TOKEN_FILE: tokenFile,
  });
  return { database, tokenFile, peopleFolder: `${folder}/people` };
}

/** It has already printed what went wrong. */
function runOrExit(script: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status } = spawnSync(process.execPath, script, { stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
}
