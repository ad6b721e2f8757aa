import { fileURLToPath } from "node:url";
import { loadCatalog } from "@svc/command-router/catalog";
import { Database } from "@svc/database/database";
import { sql } from "kysely";
import type { CommandContext } from "../src/platform/commands/command-context.ts";
import { noteTable } from "./fixture-commands/notes/note.ts";
import { TestBackend, type TestBackendOptions } from "./test-backend.ts";

const fixtureCommands = fileURLToPath(new URL("fixture-commands", import.meta.url));

/** A backend whose only commands are those of `fixture-commands`, for tests of the surfaces. */
export async function startFixtureBackend(
  options: Omit<TestBackendOptions, "catalog"> = {},
): Promise<TestBackend> {
  const catalog = await loadCatalog<CommandContext>(fixtureCommands);
  const backend = await TestBackend.start({ ...options, catalog });
  // The database of another backend has the table already.
  if (options.testDatabase) return backend;
  const admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 1 });
  await admin.withDirectory(async (db) => {
    for (const statement of noteTable) await sql.raw(statement).execute(db);
  });
  await admin.close();
  return backend;
}
