import { setTimeout as sleep } from "node:timers/promises";
import { createEmbedder } from "@svc/embedding/create-embedder";
import { bringLocalModel } from "@svc/testing/embedding-models";
import { benchSize } from "../../bench/bench-size.ts";
import { drawUpTo } from "../../bench/draw-up-to.ts";
import { type } from "../../bench/file-caller.ts";
import { Dice } from "../../bench/fulltext/words.ts";
import { HttpClient } from "../../bench/http-client.ts";
import { startApi } from "../../bench/processes/api-process.ts";
import { startBareEmbedder } from "../../bench/processes/bare-process.ts";
import { startWorker, type WorkerProcess } from "../../bench/processes/worker-process.ts";
import { putOverExchange } from "../../bench/put-over-exchange.ts";
import { median } from "../../bench/quantile.ts";
import { atLeast, type Bench, type Report } from "../../bench/report.ts";
import { createScratchFolder } from "../../bench/scratch-folder.ts";
import { createSmallDatabase } from "../../bench/small-database.ts";
import { type Client, withClient } from "../../bench/with-client.ts";

const files = Number(process.env.BENCH_FILES ?? benchSize(400, 10));
const tokens = 100;
const rounds = Number(process.env.BENCH_ROUNDS ?? benchSize(5, 1));

interface Measured {
  seconds: number;
  cpuSeconds: number;
}

export default {
  summary: "the worker keeps the model busy: files embedded by it and their texts by the local model alone",
  async run(): Promise<Report> {
    await bringLocalModel();
    await using folder = await createScratchFolder();
    await using database = await createSmallDatabase(folder.path);
    await using api = await startApi({ databaseUrl: database.appUrl, folder: folder.path });
    const caller = { url: api.url, token: database.token, workspace: "bench" };
    await type(caller, `workspaces create ${caller.workspace}`);
    using client = new HttpClient();
    const put = putOverExchange(client, api.url, caller);
    for (const [index, text] of (await drawTexts()).entries())
      await put(`bench-${index}.txt`, Buffer.from(text));

    await using worker = await startWorker({ databaseUrl: database.workerUrl, folder: folder.path });
    await using bare = await startBareEmbedder(folder.path);
    return await withClient(database.adminUrl, async (admin) => {
      const measured: { worker: Measured; bare: Measured }[] = [];
      let texts: string[] = [];
      // The first warms both up.
      for (let round = 0; round <= rounds; round += 1) {
        await enqueueAll(admin, caller);
        const ofWorker = await measureWorker(admin, caller, worker);
        texts = await embeddedTexts(admin);
        const ofBare = await measureBare(bare.url, texts);
        console.error(
          `round ${round}: ${texts.length} texts, ${ofWorker.seconds.toFixed(1)} s by the worker (${ofWorker.cpuSeconds} s ` +
            `of processor time), ${ofBare.seconds.toFixed(1)} s bare (${ofBare.cpuSeconds.toFixed(1)} s)`,
        );
        if (round > 0) measured.push({ worker: ofWorker, bare: ofBare });
      }
      const row = (name: "worker" | "bare") => ({
        by: name,
        "texts/s": texts.length / median(measured.map((round) => round[name].seconds)),
        "ms of its CPU each":
          (1_000 * median(measured.map((round) => round[name].cpuSeconds))) / texts.length,
      });
      return {
        tables: [
          {
            title: `${texts.length} texts of ${tokens} tokens, a file each`,
            rows: [row("worker"), row("bare")],
          },
        ],
        bars: [
          atLeast(
            "texts a second by the worker, times those of the model alone",
            median(measured.map((round) => round.bare.seconds / round.worker.seconds)),
            0.85,
          ),
        ],
      };
    });
  },
} satisfies Bench;

async function drawTexts(): Promise<string[]> {
  const embedder = await createEmbedder({ kind: "local" });
  const dice = new Dice(1);
  const texts = Array.from({ length: files }, () => drawUpTo(embedder, dice, tokens));
  await embedder.close?.();
  return texts;
}

type Caller = Parameters<typeof type>[0];

/** As if none had ever been embedded. */
async function enqueueAll(admin: Client, caller: Caller & { workspace: string }): Promise<void> {
  await type(caller, `workspaces update ${caller.workspace} --semantic-search off`);
  await admin.query("truncate app.file_embedding, app.embedding_result");
  await type(caller, `workspaces update ${caller.workspace} --semantic-search on`);
}

async function measureWorker(admin: Client, caller: Caller, worker: WorkerProcess): Promise<Measured> {
  const cpu = worker.cpuSeconds();
  await type(caller, "embeddings run");
  const start = Date.now();
  for (let look = 0; ; look += 1) {
    // Cron does it every minute, and it works for most of one.
    if (look % 2_000 === 0) await admin.query("select graphile_worker.add_job('embeddings:run')");
    const { rows } = await admin.query<{ ended: Date }>(
      `select last_ended_at as ended from app.embedding_run where started_at is null and last_outcome = 'done'`,
    );
    const [run] = rows;
    if (run) {
      return {
        seconds: (run.ended.getTime() - start) / 1_000,
        cpuSeconds: Number((worker.cpuSeconds() - cpu).toFixed(2)),
      };
    }
    await sleep(25);
  }
}

async function embeddedTexts(admin: Client): Promise<string[]> {
  const { rows } = await admin.query<{ text: string }>(
    `select substr(stored.text, embedding.start_at + 1, embedding.length) as text
     from app.file_embedding as embedding join app.node_text as stored using (tenant_id, node_id, content_version)
     order by embedding.node_id, embedding.chunk`,
  );
  if (rows.length < files) throw new Error(`${rows.length} texts of ${files} files were embedded`);
  return rows.map(({ text }) => text);
}

async function measureBare(url: string, texts: readonly string[]): Promise<Measured> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(texts) });
  return (await answer.json()) as Measured;
}
