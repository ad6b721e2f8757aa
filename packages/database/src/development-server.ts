import pg from "pg";
import { repeatOnRace } from "./repeat-on-race.ts";

/** Set by people who use their own PostgreSQL; it replaces the local server entirely. */
export function ownDatabaseUrl(): string | undefined {
  return process.env.DATABASE_URL || undefined;
}

/** The server for development and tests: DATABASE_URL, otherwise the one that `npm run db:up` starts. */
export function adminDatabaseUrl(): string {
  return ownDatabaseUrl() ?? `postgres://postgres@127.0.0.1:${localServerPort()}/postgres`;
}

export function localServerPort(): number {
  const given = process.env.SVC_DATABASE_PORT || "54318";
  const port = Number(given);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(
      `SVC_DATABASE_PORT is "${given}", which is not a port. Set a number from 1 to 65535, or unset it.`,
    );
  }
  return port;
}

/** For messages: they end up in the logs of CI, where no password belongs. */
export function shownDatabaseUrl(): string {
  const url = URL.parse(adminDatabaseUrl());
  if (!url) return "DATABASE_URL";
  if (url.password) url.password = "***";
  url.search = "";
  return url.href;
}

type LoginRole = "svc_app" | "svc_worker";

/** The same server, as one of our roles. Production configures each URL itself. */
export function roleUrl(role: LoginRole, database: string): string {
  const url = new URL(databaseUrl(database));
  url.username = role;
  url.password = developmentPassword;
  return url.href;
}

export function databaseUrl(database: string): string {
  const url = new URL(adminDatabaseUrl());
  url.pathname = `/${database}`;
  return url.href;
}

/** Only ever set on a development or test server. */
const developmentPassword = "svc-development";

export async function allowRoleLogins(): Promise<void> {
  await withAdmin(async (client) => {
    for (const role of ["svc_app", "svc_worker"] satisfies LoginRole[]) {
      await repeatOnRace(() => client.query(`alter role ${role} password '${developmentPassword}'`));
    }
  });
}

export async function withAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminDatabaseUrl(), connectionTimeoutMillis: 10_000 });
  await client.connect().catch((error: NodeJS.ErrnoException) => {
    const advice = ownDatabaseUrl() ? "Check DATABASE_URL." : "Start the local server: npm run db:up";
    // A name with several addresses (localhost) fails with an error that has a code and no message.
    throw new Error(
      `No PostgreSQL lets us in at ${shownDatabaseUrl()}: ${error.message || error.code}. ${advice}`,
    );
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates the database if it is missing; returns whether it did. */
export async function ensureDatabase(name: string): Promise<boolean> {
  return withAdmin(async (client) => {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount) return false;
    await client.query(`create database ${client.escapeIdentifier(name)}`);
    return true;
  });
}
