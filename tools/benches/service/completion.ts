import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { benchSize } from "../../bench/bench-size.ts";
import { addFileCaller, type FileCaller, type } from "../../bench/file-caller.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { median, quantile } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { withClient } from "../../bench/with-client.ts";

const entries = benchSize(80_000, 2_000);
const rounds = benchSize(100, 5);

/** One press of the key. No words: svc gave up. */
interface Tab {
  millis: number;
  words: number;
}

export default {
  summary: `Tab in a folder of ${entries.toLocaleString("en")} entries: the compiled svc, from its start to its end`,
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    await using api = await startApi({ databaseUrl: database.appUrl, folder: folder.path });
    const caller = await addFileCaller({ ...database, url: api.url });
    await fillFolder(database.adminUrl, { url: api.url, ...caller });
    const program = join(folder.path, "svc");
    await promisify(execFile)(process.execPath, ["tools/build-cli.ts", "--output", program]);
    const environment = {
      HOME: folder.path,
      SVC_BASE_URL: api.url,
      SVC_SA_TOKEN: caller.token,
      SVC_CURRENT_WORKSPACE_ID: caller.workspace,
      SVC_COMPLETE: "bash",
    };
    const tab = (line: string) => completed(program, `svc ${line}`, environment);
    // The first of each reads its program and its pages from disk.
    for (let round = 0; round < 3; round += 1) await tab(`ls /completed/entry-${round}`);

    const kinds = ["prefix", "remembered", "whole folder", "commands"] as const;
    const figures = Object.fromEntries(kinds.map((kind) => [kind, [] as Tab[]])) as Record<
      (typeof kinds)[number],
      Tab[]
    >;
    for (let round = 0; round < rounds; round += 1) {
      const measure = async (kind: (typeof kinds)[number], line: string) => {
        const measured = await tab(line);
        figures[kind].push(measured);
        return measured.words > 0;
      };
      const start = `entry-${String((round * 7_919) % entries)
        .padStart(6, "0")
        .slice(0, 4)}`;
      // Another flag each time, so that no answer is a remembered one.
      const isAnswered = await measure("prefix", `ls --cursor ${round} /completed/${start}`);
      if (isAnswered) await measure("remembered", `ls --cursor ${round} /completed/${start}`);
      await measure("whole folder", `ls --cursor ${round} /completed/`);
      await measure("commands", `--workspace w${round} fi`);
    }
    const p95 = (kind: (typeof kinds)[number]) =>
      quantile(
        figures[kind].map(({ millis }) => millis),
        0.95,
      );
    return {
      tables: [
        {
          title: `Whole processes, ${rounds} of each in turn; a folder of ${entries.toLocaleString("en")}`,
          rows: kinds.map((kind) => ({
            what: kind,
            "median ms": median(figures[kind].map(({ millis }) => millis)),
            "p95 ms": p95(kind),
            "given up": figures[kind].filter(({ words }) => words === 0).length,
          })),
        },
      ],
      bars: [
        atMost("p95 of a prefix in the large folder, ms", p95("prefix"), 150),
        atMost("p95 of the large folder itself, ms", p95("whole folder"), 150),
        atMost("p95 of a remembered answer, ms", p95("remembered"), 40),
      ],
    };
  },
} satisfies Bench;

/** Empty folders: what a name looks up is the same for files. */
async function fillFolder(adminUrl: string, caller: FileCaller & { url: string }): Promise<void> {
  await type(caller, `files mkdir /completed --workspace ${caller.workspace}`);
  await withClient(adminUrl, async (client) => {
    await client.query(
      `insert into app.node (tenant_id, workspace_id, parent_id, kind, name, acl_scope_id, created_by, updated_by)
       select tenant_id, workspace_id, id, 'folder', 'entry-' || lpad(number::text, 6, '0'), acl_scope_id, $2, $2
       from app.node, generate_series(0, $3::int - 1) as number
       where tenant_id = $1 and name = 'completed'`,
      [caller.tenantId, caller.actorId, entries],
    );
    await client.query("analyze app.node");
  });
}

async function completed(program: string, line: string, environment: Record<string, string>): Promise<Tab> {
  const began = performance.now();
  const child = spawn(program, [" \t\n\"'@><=;|&(:", line], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, ...environment },
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { millis: performance.now() - began, words: out.split("\n").length - 1 };
}
