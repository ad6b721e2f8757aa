import { setTimeout as sleep } from "node:timers/promises";
import { benchSize, currentSize } from "../../bench/bench-size.ts";
import { median, quantile } from "../../bench/quantile.ts";
import { atMost, type Bench, type Report } from "../../bench/report.ts";
import { jobsLeft, queueJobs } from "../../bench/soak/queued-jobs.ts";
import { residentMegabytes } from "../../bench/soak/resident-memory.ts";
import { soakFaults } from "../../bench/soak/soak-faults.ts";
import { SoakedService } from "../../bench/soak/soaked-service.ts";
import { type Answer, AnswerLog, type CallKind, isFailed } from "../../bench/survival/answer-log.ts";
import { Callers } from "../../bench/survival/callers.ts";
import { countKept } from "../../bench/survival/count-kept.ts";
import { startCell } from "../../ha/cell.ts";
import { cellUrl } from "../../ha/cell-layout.ts";

const minutes = Number(process.env.BENCH_MINUTES ?? benchSize(60, 0.1));
const isOnCell = process.env.BENCH_SERVER === "cell";
/** Between the beginnings of two faults. */
const intervalMillis = 1_000 * Number(process.env.BENCH_INTERVAL ?? benchSize(180, 1.5));
/** After a fault is repaired: connections that fell silent are given up within 20 s, and refused callers come back. */
const settleMillis = benchSize(Math.min(45_000, intervalMillis / 2), 500);
const sampleMillis = benchSize(1_000, 200);
const queueMillis = benchSize(5_000, 1_000);
/** Of each of the two API processes. A steady load that leaves the machine room, so that a slower answer shows. */
const load = { writers: 2, readers: 2, uploaders: 1, searchers: 1, pauseMillis: 200 };
const kinds: readonly CallKind[] = ["read", "search", "write", "upload"];

interface Window {
  from: number;
  to: number;
}

export default {
  summary:
    "hours of load with a fault every three minutes lose nothing, and neither memory nor answers get worse",
  async run(): Promise<Report> {
    if (isOnCell) {
      await startCell();
      process.env.DATABASE_URL = cellUrl;
    }
    await using service = await SoakedService.start({ isOnCell });
    const log = new AnswerLog();
    const { token, workspace, steady, database } = service;
    const groups = [() => steady.api.url, () => service.killed.api.url].map(
      (url) => new Callers({ url, token, workspace }, { ...load, log }),
    );
    const start = performance.now();
    const memory: { at: number; megabytes: number }[] = [];
    let isOver = false;
    const every = async (millis: number, work: () => unknown) => {
      for (; !isOver; await sleep(millis)) await work();
    };
    const sampling = every(sampleMillis, () => {
      const megabytes = residentMegabytes([steady.api.pid, steady.worker.pid]);
      memory.push({ at: performance.now(), megabytes });
    });
    // During a fault the queue is out of reach for everybody.
    const queueing = every(queueMillis, () => queueJobs(database.adminUrl).catch(() => undefined));
    const strikes = await strikeUntil(start + minutes * 60_000, service).finally(() => {
      isOver = true;
    });
    const end = performance.now();
    await Promise.all([sampling, queueing]);
    for (const callers of groups) await callers.stop();
    steady.worker.requireAlive();

    const thirds = [0, 1, 2].map((third) => ({
      from: start + (third * (end - start)) / 3,
      to: start + ((third + 1) * (end - start)) / 3,
    }));
    const acknowledged = groups.flatMap((callers) => callers.acknowledged);
    const { lost, doubled } = await countKept(database.adminUrl, acknowledged);
    const left = await jobsLeft(database.adminUrl, benchSize(300_000, 20_000));
    const answers = log.after(start);
    const isCalm = ({ sentAt, answeredAt }: Answer) =>
      strikes.every(({ from, to }) => answeredAt < from || sentAt > to);
    const calm = answers.filter(isCalm);
    const p95 = (third: Window | undefined, kind?: CallKind) => {
      const millis = calm
        .filter((answer) => isWithin(answer.answeredAt, third) && (kind ?? answer.kind) === answer.kind)
        .map(({ sentAt, answeredAt }) => answeredAt - sentAt);
      return millis.length === 0 ? 0 : quantile(millis, 0.95);
    };
    const megabytesOf = (third: Window | undefined) =>
      median(memory.filter(({ at }) => isWithin(at, third)).map(({ megabytes }) => megabytes));
    const [first, second, last] = thirds;
    return {
      tables: [
        {
          title: `Calls in ${minutes} minutes, on ${isOnCell ? "the cell" : "the development server"}`,
          rows: kinds.map((kind) => {
            const ofKind = answers.filter((answer) => answer.kind === kind);
            return {
              calls: kind,
              answered: ofKind.length,
              failed: ofKind.filter(isFailed).length,
              "failed between faults": ofKind.filter(isFailed).filter(isCalm).length,
              "p95 ms, first third": p95(first, kind),
              "second third": p95(second, kind),
              "last third": p95(last, kind),
            };
          }),
        },
        {
          title: "Faults",
          rows: strikes.map(({ name, from, to }) => ({
            fault: name,
            "at s": (from - start) / 1_000,
            "failed calls": answers.filter(
              (answer) => isFailed(answer) && answer.answeredAt >= from && answer.sentAt <= to,
            ).length,
          })),
        },
        {
          title: "The API and the worker that were not killed",
          rows: thirds.map((third, index) => ({
            third: String(index + 1),
            "memory MB": megabytesOf(third),
            "p95 ms between faults": p95(third),
          })),
        },
      ],
      bars: [
        atMost(`acknowledged writes lost, of ${acknowledged.length}`, lost, 0),
        atMost("acknowledged writes doubled", doubled, 0),
        atMost("jobs left at the end", left, 0),
        atMost("memory of the last third, times the second", megabytesOf(last) / megabytesOf(second), 1.1),
        atMost("p95 between faults in the last third, times the first", p95(last) / p95(first), 1.3),
      ],
    };
  },
} satisfies Bench;

/** Strikes one fault after the other, in smoke each at least once, and returns when each disturbed the service. */
async function strikeUntil(end: number, service: SoakedService): Promise<(Window & { name: string })[]> {
  const faults = soakFaults({ isOnCell });
  const strikes: (Window & { name: string })[] = [];
  const fewest = benchSize(0, faults.length);
  for (let turn = 0; ; turn += 1) {
    const fault = faults[turn % faults.length];
    await sleep(intervalMillis - settleMillis);
    const isLate = performance.now() + settleMillis > end;
    if (!fault || (isLate && turn >= fewest)) break;
    if (currentSize === "full") console.error(fault.name);
    const from = performance.now();
    await fault.strike(service);
    strikes.push({ name: fault.name, from, to: performance.now() + settleMillis });
    await sleep(settleMillis);
  }
  await sleep(Math.max(0, end - performance.now()));
  return strikes;
}

function isWithin(moment: number, window: Window | undefined): boolean {
  return window !== undefined && moment >= window.from && moment < window.to;
}
