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
import { analyserVersion } from "@svc/search/analyser/analyse-text";
import { sharedShelves } from "@svc/search/index/shelf";
import { checkoutDatabaseName } from "../../local-server/checkout-database.ts";
import { benchSize, currentSize } from "../bench-size.ts";
import { withClient } from "../with-client.ts";
import { fillLargeTenant, type LargeTenant } from "./fill-large-tenant.ts";

export interface LargeTenants extends AsyncDisposable {
  adminUrl: string;
  appUrl: string;
  /** In the order of their sizes. */
  tenants: LargeTenant[];
}

/** By default a shelf of one tenant is full with this many. */
const mostOnShelf = benchSize(1_000_000, 1_000);
const documentsInPlace = 100;
/** Increment it when the generated data changes. */
const version = 1;

/** One tenant of each size in one database, which is kept at full size: filling it takes long. */
export async function ensureLargeTenants(
  sizes: readonly number[],
  progress: (line: string) => void = console.error,
): Promise<LargeTenants> {
  const name = `${checkoutDatabaseName()}_${benchSize("", "smoke_")}large`;
  const adminUrl = databaseUrl(name);
  const wanted = await describe(sizes);
  await withAdmin(async (client) => {
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    const { rows } = await client.query<{ content: string | null }>(
      "select shobj_description(oid, 'pg_database') as content from pg_database where datname = $1",
      [name],
    );
    if (rows[0]?.content === wanted) return progress(`${name} is already filled: ${wanted}`);
    progress(`filling ${name}: ${wanted}`);
    await client.query(`drop database if exists ${name} with (force)`);
    await ensureDatabase(name);
    await migrate(adminUrl);
    await allowRoleLogins();
    await fill(adminUrl, sizes, progress);
    // Last, so that a partly filled database does not count as full.
    await client.query(`comment on database ${name} is ${client.escapeLiteral(wanted)}`);
  });
  return {
    adminUrl,
    appUrl: roleUrl("svc_app", name),
    tenants: await readTenants(adminUrl),
    async [Symbol.asyncDispose]() {
      if (currentSize === "full") return;
      await withAdmin((client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

async function describe(sizes: readonly number[]): Promise<string> {
  const digest = createHash("sha256");
  for (const { sql } of await readMigrations(migrationsFolder)) digest.update(sql);
  const made = digest.digest("hex").slice(0, 8);
  return `${sizes.join(", ")} documents, analyser ${analyserVersion}, version ${version}, made by ${made}`;
}

async function fill(
  adminUrl: string,
  sizes: readonly number[],
  progress: (line: string) => void,
): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query("set synchronous_commit = off");
    let free = sharedShelves;
    for (const documents of sizes) {
      const shelves = Array.from({ length: Math.ceil(documents / mostOnShelf) }, (_, index) => free + index);
      free += shelves.length;
      const places = Math.ceil(documents / documentsInPlace);
      await fillLargeTenant(client, { documents, places, shelves }, progress);
    }
    await client.query("vacuum (analyze)");
  });
}

async function readTenants(adminUrl: string): Promise<LargeTenant[]> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<LargeTenant>(`
      select place.tenant_id as "tenantId", place.workspace_id as "workspaceId", array_agg(place.id::text order by place.id)
        as places
      from app.search_place as place group by place.tenant_id, place.workspace_id order by count(*)`);
    return rows;
  });
}
