import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { withClient } from "../with-client.ts";
import { sampleTenant } from "./sample-tenant.ts";

/** Totals, the sample tenant included. */
export interface DatabaseSize {
  tenants: number;
  workspaces: number;
  auditEntries: number;
  /** Files and folders; 0, or enough for the folders that the sample tenant has. */
  nodes: number;
}

/** Only the sample tenant: the baseline for a full database. */
export const smallestSize: DatabaseSize = {
  tenants: 1,
  workspaces: sampleTenant.workspaces,
  auditEntries: sampleTenant.auditEntries,
  nodes: 0,
};

const folder = join(import.meta.dirname, "steps");

export const fillSteps: readonly { name: string; sql: string }[] = readdirSync(folder)
  .sort()
  .map((file) => ({
    name: file.replace(/^\d+-|\.sql$/g, ""),
    sql: readFileSync(join(folder, file), "utf8"),
  }));

/** Fills a migrated database that has the sample tenant and nothing else. All of it or nothing: one transaction. */
export async function fillDatabase(
  adminUrl: string,
  size: DatabaseSize,
  progress: (line: string) => void = () => {},
): Promise<void> {
  requireRoom(size);
  await withClient(adminUrl, async (client) => {
    await client.query("begin");
    await tellSteps(client, size);
    for (const { name, sql } of fillSteps) {
      const started = performance.now();
      await client.query(sql);
      progress(`${name}: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    }
    await client.query("commit");
    // A bulk load leaves neither statistics nor a visibility map, and the planner needs both.
    await client.query("vacuum (analyze)");
  });
}

/** The steps are plain SQL; they read the size with current_setting. */
async function tellSteps(client: pg.Client, size: DatabaseSize): Promise<void> {
  const settings = {
    tenants: size.tenants,
    workspaces: size.workspaces,
    audit_entries: size.auditEntries,
    sample_slug: sampleTenant.slug,
    sample_workspaces: sampleTenant.workspaces,
    sample_audit_entries: sampleTenant.auditEntries,
    nodes: size.nodes,
    sample_nodes: size.tenants === 1 ? size.nodes : Math.round(size.nodes * sampleTenant.shareOfNodes),
    sample_file_workspace: sampleTenant.fileWorkspace,
  };
  for (const [name, value] of Object.entries(settings)) {
    await client.query("select set_config($1, $2, true)", [`scale.${name}`, String(value)]);
  }
}

function requireRoom({ tenants, workspaces, auditEntries }: DatabaseSize): void {
  const others = tenants - 1;
  if (others < 0) throw new Error("tenants must be 1 or more: the sample tenant counts");
  for (const [what, total, ofSample] of [
    ["workspaces", workspaces, sampleTenant.workspaces],
    ["audit entries", auditEntries, sampleTenant.auditEntries],
  ] as const) {
    if (total - ofSample >= others && (others > 0 || total === ofSample)) continue;
    throw new Error(
      `the sample tenant has ${ofSample} ${what} and each other at least one: ` +
        `${total} cannot be shared by ${tenants} tenants`,
    );
  }
}
