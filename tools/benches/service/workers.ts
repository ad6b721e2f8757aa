import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { spreadDelay } from "@svc/database/spread-delay";
import { benchSize } from "../../bench/bench-size.ts";
import { type } from "../../bench/file-caller.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { type ModelCall, type SlowModel, startSlowModel } from "../../bench/processes/slow-model-process.ts";
import { startWorker } from "../../bench/processes/worker-process.ts";
import { putOverExchange } from "../../bench/put-over-exchange.ts";
import { median } from "../../bench/quantile.ts";
import { atLeast, atMost, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { type Client, withClient } from "../../bench/with-client.ts";

/** Added to each call of the model, so that the cores are not the limit. */
const latencyMillis = 200;
/** Groups of 32, and enough of them to keep six lanes busy. */
const files = Number(process.env.BENCH_FILES ?? benchSize(1_920, 96));
const rounds = Number(process.env.BENCH_ROUNDS ?? benchSize(3, 1));
const tenants = Number(process.env.BENCH_TENANTS ?? benchSize(10_000, 100));
/** Smoke lets the nine minutes of the schedule pass in a few seconds. */
const pace = benchSize(1, 180);

interface Place {
  admin: Client;
  databaseUrl: string;
  folder: string;
}

export default {
  summary:
    "a second and a third worker add their share, and tenants of one schedule do not all start at once",
  async run(): Promise<Report> {
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    await using model = await startSlowModel({ folder: folder.path, latencyMillis });
    return await withClient(database.adminUrl, async (admin) => {
      const place = { admin, databaseUrl: database.workerUrl, folder: folder.path };
      await using api = await startApi({ databaseUrl: database.appUrl, folder: folder.path });
      const caller = { url: api.url, token: database.token, workspace: "bench" };
      await putFiles(caller);
      await using _first = await startWorkers(place, model, ["worker-1"]);
      let starts: number[] = [];
      const compare = async (name: string, isLast = false) => {
        const one = await textsPerSecond(place, model, caller, 1);
        await using _more = await startWorkers(place, model, ["worker-2", "worker-3"]);
        const three = await textsPerSecond(place, model, caller, 3);
        console.error(`${name}: ${one.toFixed(0)} and ${three.toFixed(0)} texts a second`);
        if (isLast) starts = await measureStarts(place.admin);
        return { one, three };
      };
      const withGraph = await compare("with the graph");
      // Adding a vector to the graph takes milliseconds of a core: two cores would be the limit, not the workers.
      await place.admin.query("drop index app.file_embedding_by_meaning");
      const measured: { one: number; three: number }[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        measured.push(await compare(`round ${round}`, round === rounds));
      }
      const perMinute = Map.groupBy(starts, (minutes) => Math.floor(minutes));
      const shares = [...perMinute].map(([minute, some]) => ({ minute, share: some.length / tenants }));
      return {
        tables: [
          {
            title: `${files} files of one tenant, ${latencyMillis} ms a call`,
            rows: [
              {
                workers: 1,
                "texts/s": median(measured.map(({ one }) => one)),
                "with the graph": withGraph.one,
              },
              {
                workers: 3,
                "texts/s": median(measured.map(({ three }) => three)),
                "with the graph": withGraph.three,
              },
            ],
          },
          {
            title: `starts of ${tenants} tenants with the default schedule, 3 workers`,
            rows: shares
              .toSorted((one, other) => one.minute - other.minute)
              .map(({ minute, share }) => ({ minute, "percent of tenants": 100 * share })),
          },
        ],
        notes: [
          "The rates are measured without the index of vectors, whose cost is the processor's and not the model's; " +
            "the column beside them is one round with it.",
          "The time of the schedule is moved to now; runs are started by real workers in real time" +
            (pace === 1 ? "." : `, ${pace} times as fast.`),
        ],
        bars: [
          atLeast(
            "texts a second by three workers, times those by one",
            median(measured.map(({ one, three }) => three / one)),
            2.5,
          ),
          atMost("minutes until the last tenant has started", Math.max(...starts), 10),
          atMost("percent of tenants in one minute", 100 * Math.max(...shares.map(({ share }) => share)), 15),
        ],
      };
    });
  },
} satisfies Bench;

type Caller = Parameters<typeof type>[0] & { workspace: string };

async function putFiles(caller: Caller): Promise<void> {
  await type(caller, `workspaces create ${caller.workspace}`);
  using client = new HttpClient();
  const put = putOverExchange(client, caller.url, caller);
  for (let index = 0; index < files; index += 1) await put(`${index}.txt`, Buffer.from(`Note ${index}.`));
}

/** While all lanes are busy: the model answers when each has asked, and the end of the run does not count. */
async function textsPerSecond(
  place: Place,
  model: SlowModel,
  caller: Caller,
  workers: number,
): Promise<number> {
  await type(caller, `workspaces update ${caller.workspace} --semantic-search off`);
  await place.admin.query("truncate app.file_embedding, app.embedding_result");
  await type(caller, `workspaces update ${caller.workspace} --semantic-search on`);
  await model.hold();
  await type(caller, "embeddings run");
  const lanes = Math.min(lanesOfATenant * workers, Math.ceil(files / filesOfATurn));
  await model.answerWhenWaiting(lanes);
  await untilDone(place.admin);
  const calls = await model.takeCalls();
  const texts = calls.reduce((sum, call) => sum + call.texts, 0);
  if (texts !== files) throw new Error(`${texts} texts of ${files} files were embedded`);
  return rateOf(calls, lanes);
}

/** Of a tenant that is alone, in each worker. */
const lanesOfATenant = 2;
const filesOfATurn = 32;

function rateOf(calls: readonly ModelCall[], lanes: number): number {
  const sorted = calls.toSorted((one, other) => one.endedAt - other.endedAt);
  const begin = Math.min(...calls.map(({ startedAt }) => startedAt));
  // After the last call of a lane, that lane finds nothing more to do.
  const end = sorted.at(-lanes)?.endedAt ?? Number.NaN;
  const within = sorted.filter(({ endedAt }) => endedAt <= end);
  return (1_000 * within.reduce((sum, { texts }) => sum + texts, 0)) / (end - begin);
}

async function startWorkers(
  { databaseUrl, folder }: Place,
  model: SlowModel,
  names: readonly string[],
): Promise<AsyncDisposableStack> {
  const started = new AsyncDisposableStack();
  for (const name of names) {
    started.use(await startWorker({ databaseUrl, folder, embedders: [model.embedder], name }));
  }
  return started;
}

async function untilDone(admin: Client): Promise<void> {
  for (;;) {
    const { rows } = await admin.query("select from app.embedding_run where started_at is not null");
    if (rows.length === 0) return;
    await sleep(50);
  }
}

/** Minutes from the time of the schedule to the start of each tenant's run. */
async function measureStarts(admin: Client): Promise<number[]> {
  await admin.query(`
    create table public.started (tenant_id uuid, at timestamptz default clock_timestamp());
    grant insert on public.started to public;
    create function public.note_start() returns trigger language plpgsql as
      $$ begin insert into public.started values (new.tenant_id); return null; end $$;
    create trigger note_start after update on app.embedding_run for each row
      when (old.started_at is null and new.started_at is not null) execute function public.note_start();`);
  const scheduledAt = pace === 1 ? nextMinute() : Date.now() + 1_000;
  await planTenants(admin, scheduledAt);
  for (let started = 0; started < tenants; ) {
    // Cron does it every minute.
    if (pace > 1) await admin.query("select graphile_worker.add_job('embeddings:start-due')");
    await sleep(60_000 / pace);
    const { rows } = await admin.query<{ count: number }>("select count(*)::int from public.started");
    started = rows[0]?.count ?? 0;
    if (Date.now() > scheduledAt + 3 * longestMillis) break;
  }
  const { rows } = await admin.query<{ at: Date }>(
    "select min(at) as at from public.started group by tenant_id",
  );
  if (rows.length !== tenants) throw new Error(`${rows.length} of ${tenants} tenants started`);
  return rows.map(({ at }) => ((at.getTime() - scheduledAt) * pace) / 60_000);
}

const longestMillis = (10 * 60_000) / pace;

function nextMinute(): number {
  return (Math.floor(Date.now() / 60_000) + 1) * 60_000;
}

/** As the job plans them: each late by its own part of the window. */
async function planTenants(admin: Client, scheduledAt: number): Promise<void> {
  const windowMillis = 9 * 60_000;
  const ids = Array.from({ length: tenants }, () => randomUUID());
  const times = ids.map((tenantId) => new Date(scheduledAt + spreadDelay(tenantId, windowMillis) / pace));
  await admin.query(
    `insert into app.embedding_run (tenant_id, next_run_at)
     select id, at from unnest($1::uuid[], $2::timestamptz[]) as tenant (id, at)`,
    [ids, times],
  );
}
