import { createHash } from "node:crypto";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { chunkFile } from "../../src/features/embeddings/chunk-file.ts";
import { Dice } from "../../testing/dice.ts";
import { FilesTown } from "../../testing/files-test.ts";
import { drawnPause } from "../../testing/processes/drawn-pause.ts";
import { WorkerProcess } from "../../testing/processes/worker-process.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { type PaidCall, PaidEmbeddingServer } from "./paid-embedding-server.ts";

/**
 * A text is paid for once: a real worker asks a paid provider and is killed again and again at random. Answers that
 * were stored are never requested again; answers that were lost belong to calls during a kill, which the ledger still
 * shows as held. At the end every file has its vectors, and repeated runs request nothing more.
 */
const kills = faultSize(50, 2);
const filesAtFirst = 40;
const filesEachLife = 16;
const lanes = 2;
const limitMicros = 4_000_000;
const seed = runSeed();
const dice = new Dice(seed);

let backend: TestBackend;
let town: FilesTown;
let provider: PaidEmbeddingServer;
let worker: WorkerProcess;
let admin: pg.Client;

beforeAll(async () => {
  backend = await TestBackend.start();
  town = await FilesTown.build(backend, await backend.addTenant(), "Town");
  await town.backend.run(town.owner, `workspaces update ${town.slug} --semantic-search on`);
  await backend.run(town.tenant.token, `budget set --limit ${limitMicros / 1_000_000}`);
  provider = await PaidEmbeddingServer.start({ longestMillis: 400 });
  const embedder = { kind: "openai", url: provider.url, model: "words", pricePerMillionTokens: "1" };
  worker = await WorkerProcess.prepare(backend.testDatabase.workerUrl, {
    SVC_EMBEDDERS: JSON.stringify([embedder]),
  });
  admin = new pg.Client({ connectionString: backend.testDatabase.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await worker?.close();
  await provider?.close();
  await admin?.end();
  await backend?.close();
});

test("a text is paid for once, however often the worker is killed", { timeout: 3_600_000 }, async () => {
  const papers = new Papers();
  /** Lost answers: the process was killed before it could store them. */
  const lost = new Set<PaidCall>();
  await papers.put(filesAtFirst);
  for (let life = 1; life <= kills; life += 1) {
    await papers.put(filesEachLife);
    await backend.run(town.tenant.token, "embeddings run");
    provider.life = life;
    await worker.start();
    await anyMoment(life);
    await worker.kill();
    await connectionsAreGone();
    const calls = provider.calls.filter((call) => call.life === life);
    for (const call of await notKept(calls.filter(isAnswered))) lost.add(call);
    const ended = await endedCalls();
    const answered = provider.calls.filter(isAnswered).length;
    expect(ended.settled, "what is settled is kept").toBeLessThanOrEqual(answered - lost.size);
    expect(lost.size, "what is not kept is not settled").toBeLessThanOrEqual(ended.unknown);
    await letLeasesRunOut();
  }
  provider.life = kills + 1;
  await worker.start();
  await drain();
  expect(await wrongFiles(papers.texts)).toEqual([]);
  const repeats = repeated(lost);
  const mostTexts = Math.max(...provider.calls.map(({ texts }) => texts.length));
  const askedOnce = provider.textsAsked;
  const unanswered = provider.calls.filter((call) => !isAnswered(call)).length;
  const ledger = await ledgerMicros();
  process.stdout.write(
    `pays once: ${papers.texts.size} files, ${kills} kills; ${provider.calls.length} calls for ` +
      `${askedOnce} texts, at most ${mostTexts} each; killed over ${unanswered} calls, and over ${lost.size} answers before ` +
      `they were kept; asked again though answered, or while it was asked: ${repeats.again.length}, of those lost answers ` +
      `${repeats.ofLost}; ledger ${ledger} of ${limitMicros}; SVC_SEED=${seed}\n`,
  );
  expect(repeats.again).toEqual([]);
  expect(repeats.ofLost).toBeLessThanOrEqual(kills * lanes * mostTexts);
  expect(ledger).toBeLessThanOrEqual(limitMicros);
  expect(ledger).toBeGreaterThan(0);

  for (let round = 0; round < 2; round += 1) await runAllAgain();
  expect(await wrongFiles(papers.texts)).toEqual([]);
  expect(provider.textsAsked - askedOnce, "texts asked by running all again").toBe(0);
  expect(worker.warnings).toEqual([]);
});

/** Mostly after it has begun to ask, so that calls, answers and the writing of vectors are all hit; sometimes before. */
async function anyMoment(life: number): Promise<void> {
  const hasAsked = () => provider.calls.some((call) => call.life === life);
  // Sometimes it finds nothing to ask: then it is killed while it looks.
  if (life % 5 > 0) await vi.waitUntil(hasAsked, { timeout: 10_000, interval: 5 }).catch(() => {});
  await drawnPause(dice, 600);
}

/** Until then, one of them may still commit earlier work. */
async function connectionsAreGone(): Promise<void> {
  const connections = async () => {
    const { rowCount } = await admin.query(
      "select from pg_stat_activity where datname = current_database() and usename = 'svc_worker'",
    );
    return rowCount;
  };
  await expect.poll(connections).toBe(0);
}

function isAnswered({ isDelivered }: PaidCall): boolean {
  return isDelivered;
}

/** Files with missing vectors. */
async function notKept(answered: readonly PaidCall[]): Promise<PaidCall[]> {
  const { rows } = await admin.query<{ hash: string }>(
    `select encode(text_hash, 'hex') as hash from app.embedding_result where tenant_id = $1 and embedding is not null
     union select encode(text_hash, 'hex') from app.file_embedding where tenant_id = $1`,
    [town.tenant.id],
  );
  const kept = new Set(rows.map(({ hash }) => hash));
  return answered.filter(({ texts }) => !texts.every((text) => kept.has(hashOf(text))));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function countOf(query: string): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(query, [town.tenant.id]);
  return rows[0]?.count ?? Number.NaN;
}

/** The cost of an unsettled call is unknown: it is held, and booked in full when the hold expires. */
async function endedCalls(): Promise<{ settled: number; unknown: number }> {
  const { rows } = await admin.query<{ settled: number; unknown: number }>(
    `select count(*) filter (where outcome = 'settled')::int as settled,
       count(*) filter (where outcome in ('held', 'expired'))::int as unknown
     from app.ai_spend where tenant_id = $1`,
    [town.tenant.id],
  );
  return rows[0] ?? { settled: Number.NaN, unknown: Number.NaN };
}

/** The ledger treats held money as spent. */
function ledgerMicros(): Promise<number> {
  return countOf(
    "select sum(coalesce(micros, reserved_micros))::int as count from app.ai_spend where tenant_id = $1",
  );
}

/** Leases take five minutes; an idle tenant pauses for ten seconds. */
async function letLeasesRunOut(): Promise<void> {
  await admin.query(
    "update app.embedding_index_queue_entry set leased_until = now() - interval '1 second' where lease_id is not null",
  );
  await admin.query(
    "update app.embedding_result set expires_at = now() - interval '1 second' where lease_id is not null",
  );
  await admin.query("update app.embedding_run set touched_at = '-infinity'");
}

/** Cron does it every minute. */
async function startJob(name: "embeddings:run" | "search:reindex"): Promise<void> {
  await admin.query("select graphile_worker.add_job($1)", [name]);
}

async function drain(): Promise<void> {
  for (;;) {
    await backend.run(town.tenant.token, "embeddings run");
    await startJob("embeddings:run");
    const isDrained = await vi
      .waitUntil(async () => (await countWaiting()) === 0, drainTurn)
      .catch(() => false);
    if (isDrained) return;
    await admin.query("update app.embedding_run set touched_at = '-infinity'");
  }
}

/** After a turn without an end it is started again, as often as it takes. */
const drainTurn = { timeout: 4_000, interval: 200 };

function countWaiting(): Promise<number> {
  return countOf(
    `select ((select count(*) from app.embedding_index_queue_entry where tenant_id = $1)
       + (select count(*) from app.embedding_run where tenant_id = $1 and started_at is not null))::int as count`,
  );
}

async function runAllAgain(): Promise<void> {
  await drain();
  for (const state of ["off", "on"]) {
    await backend.run(town.owner, `workspaces update ${town.slug} --semantic-search ${state}`);
  }
  await drain();
  const { operation } = await backend.run<{ operation: string }>(
    town.tenant.token,
    "search reindex --everywhere",
  );
  const stateOf = async () => {
    await startJob("search:reindex");
    const { state } = await backend.run<{ state: string }>(town.tenant.token, `operations show ${operation}`);
    return state;
  };
  await expect.poll(stateOf, { timeout: 600_000, interval: 200 }).toBe("done");
  await drain();
}

/** Files whose chunks or vectors do not match their text. */
async function wrongFiles(texts: ReadonlyMap<string, string>): Promise<string[]> {
  const { rows } = await admin.query<{ name: string; hashes: string[]; vectors: string[] }>(
    `select node.name, array_agg(encode(embedding.text_hash, 'hex') order by embedding.chunk) as hashes,
       array_agg(embedding.embedding::text order by embedding.chunk) as vectors
     from app.node as node join app.file_embedding as embedding
       on embedding.tenant_id = node.tenant_id and embedding.node_id = node.id
         and embedding.content_version = node.content_version
     where node.tenant_id = $1 group by node.id, node.name`,
    [town.tenant.id],
  );
  const found = new Map(rows.map((row) => [row.name, row]));
  const wrong: string[] = [];
  for (const [name, text] of texts) {
    const chunks = chunkFile(text, { maxTokens: 8_191, countTokens: () => Number.NaN });
    const wanted = await provider.vectorsOf(chunks.map((chunk) => chunk.text));
    const { hashes = [], vectors = [] } = found.get(name) ?? {};
    const isRight =
      hashes.join() === chunks.map(({ textHash }) => textHash.toString("hex")).join() &&
      wanted.every((vector, index) => isNear(vector, JSON.parse(vectors[index] ?? "[]") as number[]));
    if (!isRight) wrong.push(name);
  }
  return wrong;
}

/** As close as a halfvec can be. */
function isNear(one: Float32Array, other: readonly number[]): boolean {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0) > 0.999;
}

/** Repeated requests, although the answer was stored or pending; includes copies of one text. */
function repeated(lost: ReadonlySet<PaidCall>) {
  const counts = { again: [] as string[], ofLost: 0 };
  const asked = new Map<string, PaidCall>();
  for (const call of provider.calls) {
    for (const text of call.texts) {
      const before = asked.get(text);
      asked.set(text, call);
      if (!before) continue;
      const wasKilled = !isAnswered(before) && before.life < call.life;
      if (lost.has(before)) counts.ofLost += 1;
      else if (!wasKilled) counts.again.push(text);
    }
  }
  return counts;
}

/** Short texts, long ones with several chunks, and some duplicates. */
class Papers {
  readonly texts = new Map<string, string>();

  async put(count: number): Promise<void> {
    const drawn = Array.from({ length: count }, (_, index) => this.#draw(index));
    for (const [name, text] of drawn) {
      const { status, body } = await town.put(`/${name}`, text);
      if (status !== 200) throw new Error(JSON.stringify(body));
    }
  }

  #draw(index: number): [string, string] {
    const number = this.texts.size;
    const name = `paper-${number}.txt`;
    const sections = index % 8 === 1 ? 6 : 1;
    const isCopy = index % 8 === 2;
    const text =
      (isCopy && this.texts.get(`paper-${number - 1 - (number % 7)}.txt`)) || write(number, sections);
    this.texts.set(name, text);
    return [name, text];
  }
}

function write(paper: number, sections: number): string {
  const sentences = (section: number) =>
    Array.from(
      { length: 6 },
      (_, index) =>
        `Sentence ${index} of section ${section} in paper ${paper} is about ${paper * 31 + section}.`,
    );
  return Array.from(
    { length: sections },
    (_, section) => `# Section ${section}\n\n${sentences(section).join(" ")}`,
  ).join("\n\n");
}
