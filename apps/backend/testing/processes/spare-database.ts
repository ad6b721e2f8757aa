import { migrate } from "@svc/database/migrate";
import pg from "pg";

export const appPassword = "right";

/** Fills an empty server, for its superuser's address. Returns the address for the API. */
export async function prepareSpareDatabase(adminUrl: string): Promise<string> {
  await migrate(adminUrl);
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`alter role svc_app password '${appPassword}'`);
  await client.end();
  const url = new URL(adminUrl);
  url.username = "svc_app";
  url.password = appPassword;
  return url.href;
}
