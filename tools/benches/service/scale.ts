import { benchSize } from "../../bench/bench-size.ts";
import { cliRequest } from "../../bench/cli-request.ts";
import { Comparison } from "../../bench/comparison.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { sampleTenant } from "../../bench/scale-data/sample-tenant.ts";
import { ensureScaleDatabase } from "../../bench/scale-data/scale-database.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { withClient } from "../../bench/with-client.ts";
import { findWorkspacesQuery, type WorkspacesQuery } from "../../bench/workspaces-query.ts";

const seconds = 1;
const rounds = benchSize(21, 1);
const auditRounds = benchSize(9, 1);

export default {
  summary: "it scales: `workspaces list` of one tenant among ten thousand against the same tenant alone",
  async run(): Promise<Report> {
    await using full = await ensureScaleDatabase();
    await using folder = await createScratchFolder();
    await using empty = await createSmallDatabase(folder.path);
    await using fullApi = await startApi({ databaseUrl: full.appUrl, folder: folder.path });
    await using emptyApi = await startApi({ databaseUrl: empty.appUrl, folder: folder.path });
    const typed = (line: string) => ({
      subject: cliRequest("full database", line, { url: fullApi.url, token: full.token }),
      baseline: cliRequest("empty database", line, { url: emptyApi.url, token: empty.token }),
    });

    const list = typed("workspaces list");
    const query = await findWorkspacesQuery({
      databaseUrl: full.appUrl,
      folder: folder.path,
      token: full.token,
    });
    const calm = await Comparison.run(list, { connections: 1, seconds }, rounds);
    const busy = await Comparison.run(list, { connections: 20, seconds }, rounds);
    const audit = await Comparison.run(typed("audit list"), { connections: 1, seconds }, auditRounds);

    const { workspaces, auditEntries } = sampleTenant;
    return {
      tables: [
        calm.table(`workspaces list, ${workspaces} rows, 1 connection`),
        busy.table(`workspaces list, ${workspaces} rows, 20 connections`),
        audit.table(`audit list, 50 of ${auditEntries} entries, 1 connection`),
      ],
      notes: [`Plan of workspaces list in the full database\n${await explain(full.appUrl, query)}`],
      bars: [
        atMost("median, 1 connection, times that in an empty database", calm.ratio("median"), 1.3),
        atMost("median, 20 connections, times that in an empty database", busy.ratio("median"), 1.3),
      ],
    };
  },
} satisfies Bench;

/** As the application's role, so that the plan is the one under row-level security. */
async function explain(appUrl: string, { begin, statement, parameters }: WorkspacesQuery): Promise<string> {
  return withClient(appUrl, async (client) => {
    await client.query(begin);
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      `explain (analyze, buffers, costs off) ${statement}`,
      parameters,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}
