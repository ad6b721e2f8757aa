import { migrate } from "@svc/database/migrate";
import { readMigrateConfig, readOrExit } from "../platform/process/config.ts";

const { adminUrl } = readOrExit(readMigrateConfig);
const applied = await migrate(adminUrl);
process.stdout.write(applied.length === 0 ? "nothing to migrate\n" : `applied ${applied.join(", ")}\n`);
