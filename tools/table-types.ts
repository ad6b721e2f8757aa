import { execFileSync } from "node:child_process";
import { createTestDatabase } from "@svc/testing/test-database";

/** Table types are generated from a freshly migrated database: `write` after a migration, `verify` in every check. */
const mode = process.argv[2];
const database = await createTestDatabase();
try {
  execFileSync(
    "kysely-codegen",
    [
      ...["--dialect", "postgres", "--url", database.adminUrl],
      ...["--out-file", "packages/database/src/tables.generated.ts"],
      ...["--include-pattern", "(control|app).*", "--default-schema", "none"],
      ...["--type-mapping", '{"int8":"number","cidr":"string"}'],
      ...(mode === "verify" ? ["--verify"] : []),
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
} catch (error) {
  if (mode !== "verify") throw error;
  console.error("The table types do not match the migrations: run `npm run db:types`.");
  process.exitCode = 1;
} finally {
  await database.drop();
}
