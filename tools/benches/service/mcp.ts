import { mcpRequest } from "../../agents/mcp-request.ts";
import { benchSize } from "../../bench/bench-size.ts";
import { Comparison } from "../../bench/comparison.ts";
import type { Target } from "../../bench/measure-http.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { send } from "../../bench/send.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";

/** One at a time, as an agent calls. */
const load = { connections: 1, seconds: 2 };
const rounds = benchSize(15, 1);

export default {
  summary: "the protocol of agents costs little: `whoami` as a tool against its own route",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    await using api = await startApi({ databaseUrl: database.appUrl, folder: folder.path });
    const { token } = database;
    const subject = mcpRequest("tools/call", { name: "whoami", arguments: {} }, { url: api.url, token });
    const baseline: Target = {
      name: "svc: POST /api/v1/commands/whoami",
      method: "POST",
      url: `${api.url}/api/v1/commands/whoami`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
    };
    await requireSameAnswer(subject, baseline);
    const compared = await Comparison.run({ subject, baseline }, load, rounds);
    return {
      tables: [compared.table("whoami, one call after the other")],
      bars: [atMost("median, times that of the route", compared.ratio("median"), 1.5)],
    };
  },
} satisfies Bench;

async function requireSameAnswer(subject: Target, baseline: Target): Promise<void> {
  const tool = (await send(subject)) as { result: { structuredContent: Record<string, unknown> } };
  const route = (await send(baseline)) as { data: object };
  // Only agents are told whose words the names are.
  const { untrusted: _labels, ...told } = tool.result.structuredContent;
  if (JSON.stringify(told) !== JSON.stringify(route.data)) {
    throw new Error("the tool answers something else than the route");
  }
}
