import { benchSize } from "../../bench/bench-size.ts";
import { cliRequest } from "../../bench/cli-request.ts";
import { Comparison } from "../../bench/comparison.ts";
import { addFileCaller, type } from "../../bench/file-caller.ts";
import type { Target } from "../../bench/measure-http.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { startBareFilesServer } from "../../bench/processes/bare-process.ts";
import { median } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report, type Table } from "../../bench/report.ts";
import { sampleTenant } from "../../bench/scale-data/sample-tenant.ts";
import { ensureScaleDatabase } from "../../bench/scale-data/scale-database.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { send } from "../../bench/send.ts";
import { withClient } from "../../bench/with-client.ts";

const calm = { connections: 1, seconds: 1 };
const rounds = benchSize(15, 1);
const moveRounds = benchSize(5, 1);
const folder = "/archive";
/** Below the folder. */
const files = benchSize("100,000", "100");
const part = "/archive/part-07";
const file = `${part}/file-000030.txt`;

export default {
  summary:
    "files scale: `files list` and `stat` among a million against bare SQL, a move and the preview of a delete of 100,000",
  async run(): Promise<Report> {
    await using database = await ensureScaleDatabase();
    await using scratch = await createScratchFolder();
    const place = { databaseUrl: database.appUrl, folder: scratch.path };
    await using api = await startApi(place);
    const caller = await addFileCaller({ ...database, url: api.url });
    await using bare = await startBareFilesServer({ ...place, caller });
    const typed = { url: api.url, token: caller.token };
    const inWorkspace = (line: string) => `${line} --workspace ${sampleTenant.fileWorkspace}`;
    const against = (line: string, path: string) => ({
      subject: cliRequest(`svc: ${line}`, inWorkspace(line), typed),
      baseline: { name: `bare: GET ${path}`, method: "GET", url: bare.url + path } satisfies Target,
    });

    const list = against(`files list ${folder}`, `/list?path=${folder}`);
    await requireSameChildren(list);
    const listed = await Comparison.run(list, calm, rounds);
    const stat = against(`files stat ${file}`, `/stat?path=${file}`);
    await requireSameFile(stat);
    const described = await Comparison.run(stat, calm, rounds);

    const move = (line: string) => () => type(typed, inWorkspace(line));
    const preview = (path: string) =>
      measureMoves([move(`files delete ${path} --dry-run`)], benchSize(10, 1));
    const previews = { all: await preview(folder), part: await preview(part) };
    const moves = await measureMoves([
      move(`files move ${folder} /projects`),
      move(`files move /projects${folder} /`),
    ]);
    await restrictFolder({ ...typed, token: database.token }, inWorkspace);
    const owner = { url: api.url, token: database.token };
    const handOver = (line: string) => () => type(owner, inWorkspace(line));
    const handedOver = await measureMoves(
      [handOver(`files move ${folder} /restricted`), handOver(`files move /restricted${folder} /`)],
      1,
    );
    await withClient(database.adminUrl, (client) => client.query("vacuum (analyze) app.node"));

    return {
      tables: [
        listed.table(`a page of ${folder}, 1 connection`),
        described.table(`a file two folders down, 1 connection`),
        {
          title: `moving ${folder} with the ${files} files below it`,
          rows: [
            row("below the same access list", moves),
            row("below another access list: every row follows it", handedOver),
          ],
        },
        {
          title: "previews of deletes, with what is counted",
          rows: [row(`${folder}, ${files} files`, previews.all), row(part, previews.part)],
        },
      ],
      bars: [
        atMost(`preview of deleting ${files} files, worst, seconds`, Math.max(...previews.all) / 1_000, 1.5),
        atMost(`preview of deleting ${part}, worst, seconds`, Math.max(...previews.part) / 1_000, 0.3),
        atMost("files list, p95, times that of bare SQL", listed.ratio("p95"), 1.5),
        atMost("files stat, p95, times that of bare SQL", described.ratio("p95"), 1.5),
        atMost(`moving ${files} files, worst, seconds`, Math.max(...moves) / 1_000, 1),
      ],
    };
  },
} satisfies Bench;

/** Milliseconds of each call, back and forth. */
async function measureMoves(calls: (() => Promise<unknown>)[], times = moveRounds): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < times; round += 1) {
    for (const call of calls) {
      const begun = performance.now();
      await call();
      taken.push(performance.now() - begun);
    }
  }
  return taken;
}

function row(move: string, taken: number[]): Table["rows"][number] {
  return { move, calls: taken.length, "median ms": median(taken), "worst ms": Math.max(...taken) };
}

/** It stays in the database for the next run. */
async function restrictFolder(
  owner: { url: string; token: string },
  inWorkspace: (line: string) => string,
): Promise<void> {
  const isThere = await type(owner, inWorkspace("files stat /restricted")).catch(() => undefined);
  if (isThere) return;
  await type(owner, inWorkspace("files mkdir /restricted"));
  await type(owner, inWorkspace("access restrict /restricted"));
}

/** A baseline that finds nothing would be fast: both must show the same. */
async function requireSameChildren({ subject, baseline }: { subject: Target; baseline: Target }) {
  const { text } = (await send(subject)) as { text: string };
  const [, ...lines] = text.split("\n");
  const rows = ((await send(baseline)) as { name: string }[]).slice(0, 50);
  if (rows.length === 50 && rows.every(({ name }, index) => lines[index]?.includes(name))) return;
  throw new Error("the bare route lists something other than the product");
}

async function requireSameFile({ subject, baseline }: { subject: Target; baseline: Target }) {
  const { text } = (await send(subject)) as { text: string };
  const { node, text: described } = (await send(baseline)) as {
    node?: { sha256: string };
    text: { characters: number }[];
  };
  if (node && text.includes(node.sha256) && text.includes(`${described[0]?.characters} characters`)) return;
  throw new Error("the bare route describes something other than the product");
}
