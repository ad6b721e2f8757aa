import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { benchSize } from "../../bench/bench-size.ts";
import { addFileCaller, type } from "../../bench/file-caller.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { quantile } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { runToEnd } from "../../bench/transfers/rival.ts";
import { makeManyFiles, makeSparseFile } from "../../bench/transfers/trees.ts";

const megabyte = 1024 ** 2;
const idleSeconds = benchSize(15, 0.5);

interface Step {
  step: string;
  seconds: number;
  /** Of the API, more than before the first step. */
  "API MB more": number;
  /** Of somebody else's commands meanwhile. */
  "other p95 ms": number;
  others: number;
}

export default {
  summary: "a folder of 100,000 files and a file of 10 GB go up and come back, and others hardly notice",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    // Its limits are the ones people meet.
    await using api = await startApi({
      databaseUrl: database.appUrl,
      folder: folder.path,
      environment: { SVC_RATE_PER_CREDENTIAL: "", SVC_RATE_PER_ADDRESS: "" },
    });
    const caller = await addFileCaller({ ...database, url: api.url });
    const other = await addFileCaller({ ...database, url: api.url });
    const program = join(folder.path, "svc");
    await promisify(execFile)(process.execPath, ["tools/build-cli.ts", "--output", program]);
    const svc = (...words: string[]) =>
      runToEnd([program, ...words, "--workspace", caller.workspace], {
        environment: { HOME: folder.path, SVC_BASE_URL: api.url, SVC_SA_TOKEN: caller.token },
      });
    const ask = (line: string) =>
      type({ url: api.url, token: other.token }, `${line} --workspace ${other.workspace}`);
    const own = { url: api.url, token: caller.token };
    const count = () => countFiles(own, caller.workspace);
    const before = await count();
    const tree = await makeManyFiles(folder.path);
    const large = await makeSparseFile(folder.path);
    const received = join(folder.path, "received");
    const rows: Step[] = [];
    const began = await memoryOf(api.pid);
    const measure = async (step: string, work: () => Promise<void>) => {
      const measured = { step, ...(await withNeighbour(api.pid, began, () => ask("files list /"), work)) };
      console.error(JSON.stringify(measured));
      rows.push(measured);
    };
    await measure("idle", () => sleep(idleSeconds * 1_000));
    const seen = new Set<number>();
    await measure(`${tree.files} files up`, async () => {
      let isOver = false;
      const put = svc("files", "put", `file:${tree.path}`, "/many").finally(() => {
        isOver = true;
      });
      // It fails later if the count fails first.
      put.catch(() => {});
      while (!isOver) {
        seen.add(await count());
        await sleep(200);
      }
      await put;
    });
    seen.add(await count());
    const { data } = await type(own, "operations list -n 1");
    const [put] = data.items as { id: string }[];
    await measure(`${tree.files} files down`, () => svc("files", "get", "/many", "--output", received));
    await runToEnd(["diff", "-r", tree.path, received]);
    await rm(received, { recursive: true });
    await measure(`${large.gigabytes} GB up`, () => svc("files", "put", `file:${large.path}`, "/large.bin"));
    await measure(`${large.gigabytes} GB down`, () =>
      svc("files", "get", "/large.bin", "--output", received),
    );
    await runToEnd(["cmp", large.path, received]);
    await measure("undo of the folder", async () => void (await type(own, `operations undo ${put?.id}`)));
    if ((await count()) !== before + 1) throw new Error("the folder is still there");
    const idle = rows[0]?.["other p95 ms"] ?? 0;
    const largeRows = rows.filter(({ step }) => step.includes("GB"));
    return {
      tables: [
        { title: "seconds, memory, and somebody else", rows: rows.map((row) => ({ ...row })) },
        { title: "files seen while they were stored", rows: [...seen].map((files) => ({ files })) },
      ],
      bars: [
        atMost("different counts of files seen: none or all", seen.size, 2),
        atMost(
          "p95 of somebody else's commands, ms above the limit of 3 times idle or 50",
          Math.max(0, ...rows.map((row) => row["other p95 ms"] - Math.max(3 * idle, 50))),
          0,
        ),
        atMost(
          "MB more memory of the API with a large file",
          Math.max(0, ...largeRows.map((row) => row["API MB more"])) - (largestBefore(rows, largeRows) ?? 0),
          60,
        ),
      ],
    };
  },
} satisfies Bench;

/** The folder may have left some. */
function largestBefore(rows: readonly Step[], large: readonly Step[]): number | undefined {
  const before = rows[rows.indexOf(large[0] as Step) - 1];
  return before && Math.max(0, before["API MB more"]);
}

async function withNeighbour(
  pid: number,
  began: number,
  ask: () => Promise<unknown>,
  work: () => Promise<void>,
): Promise<Omit<Step, "step">> {
  const millis: number[] = [];
  let most = 0;
  let isOver = false;
  const neighbour = async () => {
    while (!isOver) {
      const begun = performance.now();
      await ask();
      millis.push(performance.now() - begun);
      most = Math.max(most, await memoryOf(pid));
      await sleep(100);
    }
  };
  const begun = performance.now();
  const asking = neighbour();
  await work().finally(() => {
    isOver = true;
  });
  const seconds = (performance.now() - begun) / 1_000;
  await asking;
  return {
    seconds,
    "API MB more": (most - began) / megabyte,
    "other p95 ms": quantile(millis, 0.95),
    others: millis.length,
  };
}

/** Resident, in bytes. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024;
}

async function countFiles(who: { url: string; token: string }, workspace: string): Promise<number> {
  const { data } = await type(who, `files du / --depth 0 --workspace ${workspace}`);
  const [total] = data.items as { files: number }[];
  return total?.files ?? 0;
}
