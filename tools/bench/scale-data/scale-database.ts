import { createHash } from "node:crypto";
import {
  allowRoleLogins,
  databaseUrl,
  ensureDatabase,
  roleUrl,
  withAdmin,
} from "@svc/database/development-server";
import { migrate } from "@svc/database/migrate";
import { migrationsFolder, readMigrations } from "@svc/database/migrations";
import { checkoutDatabaseName } from "../../local-server/checkout-database.ts";
import { benchSize, currentSize } from "../bench-size.ts";
import { type DatabaseSize, fillDatabase, fillSteps } from "./fill-database.ts";
import { seedSampleTenant } from "./sample-tenant.ts";

export const scaleSize: DatabaseSize = benchSize(
  { tenants: 10_000, workspaces: 100_000, auditEntries: 1_000_000, nodes: 1_000_000 },
  { tenants: 20, workspaces: 60, auditEntries: 200, nodes: 1_000 },
);

/** Kept at full size, because filling it takes minutes. A small one is dropped, and never takes a full one's name. */
export interface ScaleDatabase extends AsyncDisposable {
  name: string;
  adminUrl: string;
  appUrl: string;
  /** The token of the sample tenant's administrator. */
  token: string;
}

/** What a bench adds to a full database, in a separate copy. */
export interface FurtherContent {
  /** Suffix of the database's name. */
  ending: string;
  /** The database is refilled when this changes. */
  description: string;
  fill(adminUrl: string): Promise<void>;
}

/** The checkout's database of this size, from these migrations: filled, or found as it was filled before. */
export async function ensureScaleDatabase(
  size: DatabaseSize = scaleSize,
  progress: (line: string) => void = console.error,
  further?: FurtherContent,
): Promise<ScaleDatabase> {
  const name = scaleDatabaseName(further?.ending ?? "scale");
  const adminUrl = databaseUrl(name);
  const tokenFile = `.dev/${name}.token`;
  const wanted = [await describeContent(size), ...(further ? [further.description] : [])].join(", ");
  const token = await withAdmin(async (client) => {
    // Two concurrent runs take turns; the second finds it filled.
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    const { rows } = await client.query<{ content: string | null }>(
      "select shobj_description(oid, 'pg_database') as content from pg_database where datname = $1",
      [name],
    );
    if (rows[0]?.content === wanted) {
      progress(`${name} is filled already: ${wanted}`);
      return seedSampleTenant(adminUrl, tokenFile);
    }
    progress(`filling ${name}: ${wanted}`);
    await client.query(`drop database if exists ${name} with (force)`);
    await ensureDatabase(name);
    await migrate(adminUrl);
    await allowRoleLogins();
    const seeded = seedSampleTenant(adminUrl, tokenFile);
    await fillDatabase(adminUrl, size, progress);
    await further?.fill(adminUrl);
    // Last, so that a partly filled database does not count as full.
    await client.query(`comment on database ${name} is ${client.escapeLiteral(wanted)}`);
    return seeded;
  });
  return openScaleDatabase(name, token);
}

export function openScaleDatabase(name: string, token: string): ScaleDatabase {
  return {
    name,
    adminUrl: databaseUrl(name),
    appUrl: roleUrl("svc_app", name),
    token,
    async [Symbol.asyncDispose]() {
      if (currentSize === "full") return;
      await withAdmin((client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

function scaleDatabaseName(ending: string): string {
  return `${checkoutDatabaseName()}_${benchSize("", "smoke_")}${ending}`;
}

async function describeContent({ tenants, workspaces, auditEntries, nodes }: DatabaseSize): Promise<string> {
  const digest = createHash("sha256");
  for (const { sql } of [...(await readMigrations(migrationsFolder)), ...fillSteps]) digest.update(sql);
  const made = digest.digest("hex").slice(0, 8);
  const counts = `${tenants} tenants, ${workspaces} workspaces, ${auditEntries} audit entries, ${nodes} nodes`;
  return `${counts}, made by ${made}`;
}
