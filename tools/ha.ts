import { barsText, figuresText, isPassed } from "./bench/report.ts";
import { startCell, stopCell } from "./ha/cell.ts";
import { cellUrl, poolerPort, primaryPort } from "./ha/cell-layout.ts";
import { proveCell } from "./ha/prove/prove-cell.ts";
import { runServerTool } from "./local-server/run-server-tool.ts";

/** A highly available PostgreSQL on this machine: docs/guides/high-availability.md. */
await runServerTool("ha", { up, down: stopCell, prove });

async function up(): Promise<string> {
  const outcome = await startCell();
  return [
    `The cell ${outcome}: three PostgreSQL nodes behind port ${primaryPort} (primary) and ${poolerPort} (pooled).`,
    `Any tool of this repository runs on it with DATABASE_URL=${cellUrl}`,
  ].join("\n");
}

/** `npm run ha:prove -- switchover` proves some events only. The cell keeps running; the exit code is 1 if a bar is missed. */
async function prove(): Promise<string> {
  const report = await proveCell(process.argv[3]);
  process.exitCode = isPassed(report) ? 0 : 1;
  return `${figuresText(report)}\n\n${barsText(report)}`;
}
