import { execFile } from "node:child_process";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { benchSize } from "../../bench/bench-size.ts";
import { cliRequest } from "../../bench/cli-request.ts";
import { Comparison } from "../../bench/comparison.ts";
import { addFileCaller } from "../../bench/file-caller.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { quantile } from "../../bench/quantile.ts";
import { atLeast, atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { type Command, timed } from "../../bench/timed.ts";

/** The checkout of an earlier version, with its packages. Without one, this version beside itself shows the noise. */
const checkout = process.env.BENCH_BEFORE ?? ".";
const starts = benchSize(200, 4);
const load = { connections: 4, seconds: 2 };
const rounds = benchSize(10, 1);
/** The longest page. */
const rows = benchSize(200, 20);
const mostLargerKilobytes = 100;

export default {
  summary: "nothing became slower: this version beside an earlier one, the client's start and long lists",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    const place = { databaseUrl: database.appUrl, folder: folder.path };
    await using api = await startApi(place);
    await using earlierApi = await startApi({ ...place, checkout });
    const { token, workspace } = await addFileCaller({ ...database, url: api.url });
    const program = await build(folder.path, ".", "svc");
    const earlier = await build(folder.path, checkout, "svc-earlier");
    const environment = { HOME: folder.path, SVC_SA_TOKEN: token };
    const here = { ...environment, SVC_BASE_URL: api.url };

    const files = join(folder.path, "many");
    await mkdir(files);
    for (let row = 0; row < rows; row += 1) await writeFile(join(files, `report ${row}.txt`), String(row));
    const put = ["files", "put", `file:${files}`, "/many", "--workspace", workspace];
    await timed({ program, words: put, environment: here });

    const list = `files list /many --limit ${rows} --workspace ${workspace}`;
    const both = {
      now: { program, environment: here },
      before: { program: earlier, environment: { ...environment, SVC_BASE_URL: earlierApi.url } },
    };
    const version = await compareStarts(both, ["--version"]);
    const forwarded = await compareStarts(both, ["whoami"]);
    const listed = await compareStarts(both, list.split(" "));

    const now = cliRequest("this version", list, { url: api.url, token });
    const before = cliRequest("the earlier one", list, { url: earlierApi.url, token });
    const asked = JSON.parse(now.body ?? "") as { terminal: object };
    const styled = { ...asked, terminal: { ...asked.terminal, styles: 1, timeZone: "Europe/Berlin" } };
    const compared = await Comparison.run(
      { subject: { ...now, body: JSON.stringify(styled) }, baseline: before },
      load,
      rounds,
    );
    const [size, earlierSize] = await Promise.all(
      [program, earlier].map(async (path) => (await stat(path)).size),
    );
    const larger = ((size ?? 0) - (earlierSize ?? 0)) / 1_000;
    return {
      tables: [
        {
          title: `Whole processes, in turn, ${starts} of each; lower quartiles`,
          rows: [
            { what: "--version", ...version },
            { what: "whoami", ...forwarded },
            { what: `a list of ${rows} rows`, ...listed },
          ],
        },
        compared.table(`${rows} rows laid out for a terminal, ${load.connections} connections`),
        { title: "The program", rows: [{ "kB larger": larger }] },
      ],
      bars: [
        atMost("svc --version, times the earlier one", version.ratio, 1.15),
        atMost("svc whoami, times the earlier one", forwarded.ratio, 1.15),
        atLeast("lists a second, times the earlier one", compared.ratio("requestsPerSecond"), 0.95),
        atMost("the program, kB larger", larger, mostLargerKilobytes),
      ],
    };
  },
} satisfies Bench;

async function build(folder: string, from: string, name: string): Promise<string> {
  const output = join(folder, name);
  const cwd = resolve(from);
  await promisify(execFile)(process.execPath, ["tools/build-cli.ts", "--output", output], { cwd });
  return output;
}

type Version = Omit<Command, "words">;

/** Other load only ever adds time, so the lower quartile says most about the program. */
async function compareStarts(versions: Record<"now" | "before", Version>, words: readonly string[]) {
  const millis = { now: [] as number[], before: [] as number[] };
  for (let round = 0; round < starts; round += 1) {
    for (const which of round % 2 === 0 ? (["now", "before"] as const) : (["before", "now"] as const)) {
      millis[which].push(await timed({ ...versions[which], words }));
    }
  }
  const [svc, earlier] = [quantile(millis.now, 0.25), quantile(millis.before, 0.25)];
  return { "svc ms": svc, "earlier ms": earlier, ratio: svc / earlier };
}
