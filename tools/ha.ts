import { startCell, stopCell } from "./ha/cell.ts";
import { cellUrl, poolerPort, primaryPort } from "./ha/cell-layout.ts";
import { runServerTool } from "./local-server/run-server-tool.ts";

/** A highly available PostgreSQL on this machine: docs/guides/high-availability.md. */
await runServerTool("ha", { up, down: stopCell });

async function up(): Promise<string> {
  const outcome = await startCell();
  return [
    `The cell ${outcome}: three PostgreSQL nodes behind port ${primaryPort} (primary) and ${poolerPort} (pooled).`,
    `Any tool of this repository runs on it with DATABASE_URL=${cellUrl}`,
  ].join("\n");
}
