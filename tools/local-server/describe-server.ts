import { shownDatabaseUrl, withAdmin } from "@svc/database/development-server";

const OLDEST_MAJOR = 18;

type Server = { version: string; major: number; vector: string | null };

/** If the product cannot run on the server, throws and names everything that is missing. */
export async function describeServer(): Promise<string> {
  const server = await withAdmin(async (client) => {
    const { rows } = await client.query<Server>(`
      select split_part(current_setting('server_version'), ' ', 1) as version,
             current_setting('server_version_num')::int / 10000 as major,
             (select default_version from pg_available_extensions where name = 'vector') as vector`);
    return rows[0];
  });
  if (!server) throw new Error(`The server at ${shownDatabaseUrl()} did not report its version.`);

  const missing: string[] = [];
  if (server.major < OLDEST_MAJOR)
    missing.push(`PostgreSQL ${OLDEST_MAJOR} or later (it is ${server.version})`);
  if (!server.vector) missing.push("the extension vector (install the package pgvector on that server)");
  if (missing.length > 0)
    throw new Error(`The server at ${shownDatabaseUrl()} lacks ${missing.join(" and ")}.`);
  return `PostgreSQL ${server.version}, pgvector ${server.vector}`;
}
