import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Database } from "@svc/database/database";
import { sql } from "kysely";
import { searchCounters, tenantTables } from "../../testing/tenant-tables.ts";
import type { TestBackend, TestTenant } from "../../testing/test-backend.ts";

/** Refusals are logged and tokens record their last use: neither is an effect of the command. */
const notTheCallers = new Set(["app.audit", "app.audit_head", "control.credential"]);

/** Everything that a call could have changed or left behind: rows of the tenant, staged uploads, contents. */
export class ScopedWorld {
  readonly #backend: TestBackend;
  readonly #tenant: TestTenant;
  readonly #admin: Database;
  readonly #tables: string[];
  readonly #tokens = new Map<string, Promise<string>>();

  private constructor(backend: TestBackend, tenant: TestTenant, admin: Database, tables: string[]) {
    this.#backend = backend;
    this.#tenant = tenant;
    this.#admin = admin;
    this.#tables = tables;
  }

  static async build(backend: TestBackend, tenant: TestTenant): Promise<ScopedWorld> {
    const admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 1 });
    const names = (await tenantTables(admin)).map(({ name }) => name);
    const tables = names.filter((name) => !notTheCallers.has(name) && !searchCounters.has(name));
    return new ScopedWorld(backend, tenant, admin, tables);
  }

  close(): Promise<void> {
    return this.#admin.close();
  }

  /** The administrator's token, so that only scopes can cause a refusal. */
  token(scopes: readonly string[]): Promise<string> {
    const name = scopes.join(" ") || "nothing";
    const made =
      this.#tokens.get(name) ?? this.#tenant.addToken(this.#tenant.administratorId, { name, scopes });
    this.#tokens.set(name, made);
    return made;
  }

  async state(): Promise<string[]> {
    const selects = this.#tables.map(
      (table) =>
        sql`select ${table} || ' ' || to_jsonb(t)::text as line from ${sql.raw(table)} as t
            where tenant_id = ${this.#tenant.id}`,
    );
    const { rows } = await this.#admin.withDirectory((db) =>
      sql<{ line: string }>`${sql.join(selects, sql` union all `)} order by line`.execute(db),
    );
    return [...rows.map(({ line }) => line), ...(await this.#files())];
  }

  async #files(): Promise<string[]> {
    const entries = await readdir(this.#backend.folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return Promise.all(files.sort().map(async (file) => `${file} ${(await stat(file)).size}`));
  }
}
