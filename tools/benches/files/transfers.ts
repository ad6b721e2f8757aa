import { rm } from "node:fs/promises";
import { join } from "node:path";
import { benchSize, currentSize } from "../../bench/bench-size.ts";
import { median } from "../../bench/quantile.ts";
import { atMost, type Bar, type Bench, type Report, type Table } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { type Rival, runToEnd } from "../../bench/transfers/rival.ts";
import { copying, curlWebdav, rcloneS3, rcloneSftp, rsyncDaemon } from "../../bench/transfers/rivals.ts";
import { svcRival } from "../../bench/transfers/svc-rival.ts";
import {
  change,
  makeLargeFile,
  makeMixedFiles,
  makeSmallFiles,
  type Tree,
} from "../../bench/transfers/trees.ts";

const rounds = Number(process.env.BENCH_ROUNDS ?? benchSize(5, 1));
/** The checkout of an earlier version, with its packages: measured beside this one. */
const before = process.env.BENCH_BEFORE;

const makers = { small: makeSmallFiles, mixed: makeMixedFiles, large: makeLargeFile };
/** Some of them: `BENCH_TREES=small`. Bars of the others are left out. */
const chosen = (process.env.BENCH_TREES ?? Object.keys(makers).join()).split(",");

/** Seconds. */
type Step = "up" | "again" | "changed" | "down";
type Figures = Partial<Record<Step, number>>;

export default {
  summary: "transfers keep up with rsync, rclone and curl: many small files, mixed ones, one large one",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using stack = new AsyncDisposableStack();
    const rivals = await startRivals(folder.path, stack);
    const trees: Tree[] = [];
    for (const [name, make] of Object.entries(makers)) {
      if (chosen.includes(name)) trees.push(await make(folder.path));
    }
    const tables: Table[] = [];
    const measured = new Map<string, Map<string, Figures>>();
    for (const tree of trees) {
      const figures = await measureTree(tree, rivals, folder.path);
      measured.set(tree.name, figures);
      tables.push({
        title: `${tree.files === 1 ? tree.name : `${tree.files} files, ${tree.name}`}, seconds, medians`,
        rows: [...figures].map(([rival, row]) => ({ rival, ...shown(row) })),
      });
    }
    const of = (tree: string, rival: string, step: Step) => measured.get(tree)?.get(rival)?.[step] ?? 0;
    const ratio = (tree: string, step: Step, rival: string) => of(tree, "svc", step) / of(tree, rival, step);
    const bars: Bar[] = [];
    if (chosen.includes("small")) {
      bars.push(
        atMost("small files up, times rclone to S3", ratio("small", "up", "rclone, S3 gateway"), 0.5),
        atMost("unchanged, times rclone to S3", ratio("small", "again", "rclone, S3 gateway"), 0.3),
        atMost("one changed, times rclone to S3", ratio("small", "changed", "rclone, S3 gateway"), 0.3),
        atMost("small files down, times rsync", ratio("small", "down", "rsync daemon"), 4),
        ...(before ? [atMost("small files up, times before", ratio("small", "up", "svc before"), 0.45)] : []),
      );
    }
    const large = trees.find(({ files }) => files === 1);
    if (large) {
      const digest = await timeDigests(large);
      const hashed = (step: Step) =>
        of(large.name, "svc", step) / (digest + of(large.name, "curl, WebDAV", step));
      tables.push({ title: "One SHA-256 of the large file", rows: [{ seconds: digest }] });
      bars.push(
        atMost("large file up, times a digest and curl", hashed("up"), 1),
        atMost("large file down, times a digest and curl", hashed("down"), 1),
      );
    }
    return { tables, bars };
  },
} satisfies Bench;

async function startRivals(folder: string, stack: AsyncDisposableStack): Promise<Rival[]> {
  const rivals: Rival[] = [];
  const add = async (rival: Promise<Rival>) => rivals.push(stack.use(await rival));
  await add(svcRival({ name: "svc", folder }));
  await add(svcRival({ name: "svc, S3 store", folder, isInS3: true }));
  if (before) await add(svcRival({ name: "svc before", folder, checkout: before }));
  await add(copying(folder));
  await add(rsyncDaemon(folder));
  await add(rcloneSftp(folder));
  await add(rcloneS3());
  await add(curlWebdav(folder));
  return rivals;
}

/** In turns, each round in the other order, so that nobody always has the same neighbour. */
async function measureTree(
  tree: Tree,
  rivals: readonly Rival[],
  folder: string,
): Promise<Map<string, Figures>> {
  const isFolder = tree.changing !== undefined;
  const taking = rivals.filter(({ takesFolders }) => takesFolders || !isFolder);
  const all = new Map(taking.map(({ name }) => [name, [] as Figures[]]));
  for (let round = 0; round < rounds; round += 1) {
    const place = `${tree.name}-${round}`;
    const turns = round % 2 === 0 ? taking : taking.toReversed();
    const figures = new Map(taking.map(({ name }) => [name, {} as Figures]));
    const measure = async (step: Step, work: (rival: Rival) => Promise<void>) => {
      for (const rival of turns) {
        (figures.get(rival.name) as Figures)[step] = await secondsOf(rival, () => work(rival));
      }
    };
    for (const rival of taking) await rival.prepare?.(place);
    const up = (rival: Rival) => rival.up(tree, place);
    await measure("up", up);
    if (isFolder) {
      await measure("again", up);
      await change(tree);
      await measure("changed", up);
    }
    const target = join(folder, "received");
    for (const rival of turns) {
      (figures.get(rival.name) as Figures).down = await secondsOf(rival, async () => {
        await rm(target, { recursive: true, force: true });
        await rival.down(tree, place, target);
      });
      // Storing less would be faster.
      if (!failedRivals.has(rival.name)) await runToEnd(["diff", "-r", tree.path, target]);
      await rm(target, { recursive: true, force: true });
    }
    for (const [name, row] of figures) {
      all.get(name)?.push(row);
      console.error(JSON.stringify({ tree: tree.name, round, name, ...row }));
    }
  }
  return new Map([...all].map(([name, each]) => [name, medians(each)]));
}

const failedRivals = new Set<string>();

/**
 * A rival's server has its own faults: an S3 gateway that many tests had used listed a file of 4 kB with 616 PB. A rival
 * has three attempts, of which the last one counts, and at smoke size it may fail: that shows only that we still run.
 */
async function secondsOf({ name, isOurs }: Rival, work: () => Promise<void>): Promise<number> {
  for (let attempts = 1; ; attempts += 1) {
    const begun = performance.now();
    try {
      await work();
      return (performance.now() - begun) / 1_000;
    } catch (error) {
      if (isOurs) throw error;
      console.error(`${name} failed: ${(error as Error).message}`);
      if (attempts < 3) continue;
      if (currentSize === "full") throw error;
      failedRivals.add(name);
      return (performance.now() - begun) / 1_000;
    }
  }
}

function medians(rounds: readonly Figures[]): Figures {
  const steps = Object.keys(rounds[0] ?? {}) as Step[];
  return Object.fromEntries(steps.map((step) => [step, median(rounds.map((round) => round[step] ?? 0))]));
}

function shown({ up = 0, again, changed, down = 0 }: Figures): Record<string, number> {
  return { up, ...(again === undefined ? {} : { again, changed: changed ?? 0 }), down };
}

/** Seconds of hashing it once: the least that a checked transfer takes. */
async function timeDigests({ path }: Tree): Promise<number> {
  const each: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    await runToEnd(["openssl", "dgst", "-sha256", path]);
    each.push((performance.now() - begun) / 1_000);
  }
  return median(each);
}
