import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureScaleDatabase, scaleSize } from "./bench/scale-data/scale-database.ts";

/** Fills `<checkout database>_scale`; smaller with --tenants, --workspaces, --audit-entries and --nodes. */
const { values } = parseArgs({
  options: {
    tenants: { type: "string", default: String(scaleSize.tenants) },
    workspaces: { type: "string", default: String(scaleSize.workspaces) },
    "audit-entries": { type: "string", default: String(scaleSize.auditEntries) },
    nodes: { type: "string", default: String(scaleSize.nodes) },
  },
});
execFileSync(process.execPath, [join(import.meta.dirname, "database.ts"), "up"], { stdio: "inherit" });
const { name } = await ensureScaleDatabase(
  {
    tenants: toCount("tenants", values.tenants),
    workspaces: toCount("workspaces", values.workspaces),
    auditEntries: toCount("audit-entries", values["audit-entries"]),
    nodes: toCount("nodes", values.nodes),
  },
  console.log,
);
console.log(`${name} is ready`);

function toCount(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`--${flag} is "${text}", which is not a number of rows.`);
  process.exit(2);
}
