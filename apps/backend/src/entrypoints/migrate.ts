import { migrate } from "@svc/database/migrate";

const adminUrl = process.env.SVC_ADMIN_DATABASE_URL;
if (adminUrl === undefined) throw new Error("SVC_ADMIN_DATABASE_URL must name a role that may create roles");
const applied = await migrate(adminUrl);
process.stdout.write(applied.length === 0 ? "nothing to migrate\n" : `applied ${applied.join(", ")}\n`);
