import { ownDatabaseUrl, withAdmin } from "@svc/database/development-server";
import { portOf, startLocalPostgres } from "./local-postgres.ts";

/**
 * Before and after a test run. Its databases go together at the end: dropping each one while others are used would make the
 * server write all that it has in memory every time.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (!ownDatabaseUrl()) {
    await startLocalPostgres("tests");
    process.env.DATABASE_URL = `postgres://postgres@127.0.0.1:${portOf("tests")}/postgres`;
    await dropDatabases((run) => !isAlive(run));
  }
  process.env.TEST_RUN = String(process.pid);
  return () => dropDatabases((run) => run === process.pid);
}

/** Test databases are named `svc_test_RUN_…`, after the process that ran vitest. */
async function dropDatabases(isOver: (run: number) => boolean): Promise<void> {
  await withAdmin(async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where datname like 'svc\\_test\\_%'",
    );
    for (const { datname } of rows) {
      // Those of a version before this one name no run; their tests drop them.
      const [, run] = /^svc_test_(\d+)_/.exec(datname) ?? [];
      if (run === undefined || !isOver(Number(run))) continue;
      await client.query(`drop database if exists ${client.escapeIdentifier(datname)} with (force)`);
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
