import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase } from "@svc/testing/test-database";
import { benchSize } from "../../bench/bench-size.ts";
import { type } from "../../bench/file-caller.ts";
import { collection, startBusyTenant, type Work, workKinds } from "../../bench/neighbours/busy-tenant.ts";
import { type Kind, kinds, measureQuietTenant, type Waits } from "../../bench/neighbours/quiet-tenant.ts";
import { addTenant, type Tenant } from "../../bench/neighbours/tenant.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { median, quantile } from "../../bench/quantile.ts";
import { atLeast, atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { type Client, withClient } from "../../bench/with-client.ts";

const rounds = Number(process.env.BENCH_ROUNDS ?? benchSize(3, 1));
const warmUpSeconds = benchSize(3, 0.3);
const seconds = Number(process.env.BENCH_SECONDS ?? benchSize(20, 1));
/** One second may be too short for a document. At full size that is reported instead. */
const patienceSeconds = benchSize(0, 30);

/** Has a record whose row is locked under load. */
type BusyTenant = Tenant & { record: string };

interface Round {
  quietAlone: Waits;
  busyAlone: Work;
  quiet: Waits;
  busy: Work;
}

export default {
  summary: "a busy tenant (32 writers, 14 imports, 25 uploads, a held lock) does not disturb its neighbour",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    const { adminUrl, appUrl, drop } = await createTestDatabase({ isLikeProduction: true });
    try {
      await using api = await startApi({ databaseUrl: appUrl, folder: folder.path });
      const place = { url: api.url, adminUrl, folder: folder.path };
      const busy = await addTenant(place, { name: "busy", accounts: 5 });
      const quiet = await addTenant(place, { name: "quiet", accounts: 1 });
      const record = await addRecord(busy);
      const measured = await withClient(adminUrl, (admin) => measure(admin, { ...busy, record }, quiet));
      const lostTexts = await withClient(adminUrl, (admin) => countLostTexts(admin, quiet));
      return report(measured, lostTexts);
    } finally {
      await drop();
    }
  },
} satisfies Bench;

async function addRecord({ url, tokens, workspace }: Tenant): Promise<string> {
  const caller = { url, token: tokens[0] ?? "" };
  const fields = "--field name:text --field note:text --field amount:number";
  await type(caller, `collections create ${collection} ${fields} --workspace ${workspace}`);
  const line = `records create ${collection} --set name=Blocked --workspace ${workspace}`;
  const { data } = await type(caller, line);
  return String(data.id);
}

async function measure(admin: Client, busy: BusyTenant, quiet: Tenant): Promise<Round[]> {
  await measureQuietTenant(quiet, warmUpSeconds);
  const measured: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const quietAlone = await measureQuietTenant(quiet, seconds);
    const busyAlone = await whileBusy(admin, busy, () => sleep(seconds * 1_000));
    const beside = await whileBusy(admin, busy, () => measureQuietTenant(quiet, seconds));
    measured.push({ quietAlone, busyAlone: busyAlone.work, quiet: beside.result, busy: beside.work });
    console.error(`round ${round}: ${describe(measured.at(-1) as Round)}`);
  }
  return measured;
}

/** With a row locked that some of its writers need, in the middle of its load; ends when the server is idle. */
async function whileBusy<T>(
  admin: Client,
  busy: BusyTenant,
  during: () => Promise<T>,
): Promise<{ result: T; work: Work }> {
  await admin.query("begin");
  await admin.query("select from app.record where tenant_id = $1 and title = 'Blocked' for update", [
    busy.id,
  ]);
  const load = startBusyTenant(busy, busy.record);
  const result = await during();
  await load.waitForEachKind(patienceSeconds);
  const work = await load.stop();
  await admin.query("rollback");
  await idle(admin);
  return { result, work };
}

/** In a row, at which nothing runs. */
const quietLooks = benchSize(10, 2);

async function idle(admin: Client): Promise<void> {
  const active = `select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  for (let quiet = 0; quiet < quietLooks; await sleep(200)) {
    const { rowCount } = await admin.query(active);
    quiet = rowCount === 0 ? quiet + 1 : 0;
  }
}

async function countLostTexts(admin: Client, { id }: Tenant): Promise<number> {
  const { rows } = await admin.query<{ lost: string }>(
    `select count(*) as lost
     from app.node left join app.node_text as text on text.tenant_id = node.tenant_id and text.node_id = node.id
     where node.tenant_id = $1 and node.name like '%.pdf' and text.outcome is distinct from 'ok'`,
    [id],
  );
  return Number(rows[0]?.lost);
}

function report(measured: readonly Round[], lostTexts: number): Report {
  const p95 = (kind: Kind, waits: (round: Round) => Waits) =>
    median(measured.map((round) => quantile(waits(round).times[kind], 0.95)));
  const rate = (work: Work, kind: (typeof workKinds)[number]) => work[kind] / work.seconds;
  const quiet = kinds.map((kind) => ({
    kind,
    alone: p95(kind, ({ quietAlone }) => quietAlone),
    beside: p95(kind, (round) => round.quiet),
  }));
  const busy = workKinds.map((kind) => ({
    kind,
    alone: median(measured.map(({ busyAlone }) => rate(busyAlone, kind))),
    beside: median(measured.map((round) => rate(round.busy, kind))),
    kept: median(measured.map((round) => rate(round.busy, kind) / rate(round.busyAlone, kind))),
  }));
  // Work that it could not finish even alone was not measured, and must not count as kept.
  const unmeasured = busy.filter(({ alone }) => alone === 0).map(({ kind }) => kind);
  const kept = unmeasured.length > 0 ? 0 : busy.reduce((sum, row) => sum + row.kept / busy.length, 0);
  const refusals = measured.reduce((sum, round) => sum + round.quiet.refusals + round.quietAlone.refusals, 0);
  return {
    tables: [
      {
        title: `The quiet tenant: p95 in ms, median of ${rounds} rounds of ${seconds} s`,
        rows: quiet.map(({ kind, alone, beside }) => ({ kind, alone, beside, ratio: beside / alone })),
      },
      { title: "The busy tenant: done each second", rows: busy },
    ],
    notes:
      unmeasured.length === 0
        ? []
        : [`Alone, the busy tenant finished no ${unmeasured.join(" and no ")}: set BENCH_SECONDS higher.`],
    bars: [
      ...quiet.map(({ kind, alone, beside }) =>
        atMost(`the quiet tenant's p95, ${kind}, ms`, beside, Math.round(Math.max(3 * alone, 50))),
      ),
      atMost("refusals of the quiet tenant", refusals, 0),
      atMost("documents of the quiet tenant without their text", lostTexts, 0),
      atLeast("what the busy tenant keeps of its throughput alone", kept, 0.6),
    ],
  };
}

function describe({ quietAlone, quiet, busyAlone, busy }: Round): string {
  const figures = kinds.map((kind) => {
    const [alone, beside] = [quietAlone, quiet].map(({ times }) => quantile(times[kind], 0.95).toFixed(0));
    return `${kind} ${alone} → ${beside} ms`;
  });
  const work = ({ writes, rows, documents }: Work) =>
    `${writes} writes, ${rows} rows, ${documents} documents`;
  return `${figures.join(", ")}, ${quiet.refusals} refusals; busy: ${work(busyAlone)} → ${work(busy)}`;
}
