import { benchSize } from "../../bench/bench-size.ts";
import { cliRequest } from "../../bench/cli-request.ts";
import { Comparison } from "../../bench/comparison.ts";
import type { Target } from "../../bench/measure-http.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { startBareServer } from "../../bench/processes/bare-process.ts";
import { atLeast, atMost, type Bench, type Report } from "../../bench/report.ts";
import { sampleTenant } from "../../bench/scale-data/sample-tenant.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { send } from "../../bench/send.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { findWorkspacesQuery } from "../../bench/workspaces-query.ts";

const load = { connections: 20, seconds: 2 };
const rounds = benchSize(15, 1);

export default {
  summary: "the path costs little: `workspaces list` against a bare route that runs the same SQL",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    const place = { databaseUrl: database.appUrl, folder: folder.path };
    await using api = await startApi(place);
    const token = database.token;
    const subject = cliRequest("svc: POST /api/v1/cli", "workspaces list", { url: api.url, token });
    const query = await findWorkspacesQuery({ ...place, token });
    await using bareServer = await startBareServer({ ...place, query });
    const baseline: Target = { name: "bare: GET /", method: "GET", url: `${bareServer.url}/` };
    await requireSameRows(subject, baseline);

    const compared = await Comparison.run({ subject, baseline }, load, rounds);
    return {
      tables: [
        compared.table(`workspaces list, ${sampleTenant.workspaces} rows, ${load.connections} connections`),
      ],
      notes: [`Both run: ${query.statement}`],
      bars: [
        atLeast("throughput, times that of the bare route", compared.ratio("requestsPerSecond"), 0.5),
        atMost("p99, times that of the bare route", compared.ratio("p99"), 2.5),
      ],
    };
  },
} satisfies Bench;

/** A baseline that finds nothing would be fast: both must return the same workspaces, in the same order. */
async function requireSameRows(subject: Target, baseline: Target): Promise<void> {
  const { text } = (await send(subject)) as { text: string };
  const [, ...lines] = text.split("\n");
  const rows = (await send(baseline)) as { slug: string }[];
  const sameRows = rows.length === lines.length && rows.every(({ slug }, row) => lines[row]?.includes(slug));
  if (rows.length !== sampleTenant.workspaces || !sameRows) {
    throw new Error("the bare route returns other rows than the product: its parameters are wrong");
  }
}
