import { Database } from "@svc/database/database";
import { decodeId } from "@svc/protocol/typed-id";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addAdministrator } from "../../testing/administrator.ts";
import { Dice } from "../../testing/dice.ts";
import { ApiProcess } from "../../testing/processes/api-process.ts";
import { drawnPause } from "../../testing/processes/drawn-pause.ts";
import { HttpCaller } from "../../testing/processes/http-caller.ts";

/**
 * Writes that are retried with one key while their process is killed again and again: each acknowledged write exists
 * once, each other write at most once, and the audit log agrees.
 */
const writes = faultSize(2_000, 60);
const kills = faultSize(20, 1);
const writers = 8;
const seed = runSeed();
const dice = new Dice(seed);

let testDatabase: TestDatabase;
let api: ApiProcess;
let token: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  token = await addAdministrator(testDatabase.adminUrl);
  api = await ApiProcess.prepare(testDatabase.appUrl);
  await api.start();
});
afterAll(async () => {
  await api?.close();
  await testDatabase?.drop();
});

interface Answer {
  data: { id: string };
}

interface Write {
  name: string;
  /** Number of attempts: some callers give up, as people do. */
  attempts: number;
  acknowledgedId?: string;
  replayed?: boolean;
}

test("no write is lost or done twice while the API is killed under it", async () => {
  const plan: Write[] = Array.from({ length: writes }, (_, index) => ({
    name: `Project ${index}`,
    attempts: index % 10 === 0 ? 1 : Number.POSITIVE_INFINITY,
  }));
  const waiting = [...plan];
  let finished = 0;
  let killed = 0;

  /** Resolves when so many are finished. */
  let reached = { count: Number.NaN, resolve: () => {} };

  async function write(): Promise<void> {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      await acknowledge(next);
      finished += 1;
      if (finished === reached.count) reached.resolve();
    }
  }

  async function kill(): Promise<void> {
    while (killed < kills) {
      const count = finished + Math.ceil((0.4 + 0.8 * dice.throw()) * (writes / (kills + 1.5)));
      if (count >= writes) return;
      await new Promise<void>((resolve) => {
        reached = { count, resolve };
      });
      // At a time that the API cannot predict.
      await drawnPause(dice, 20);
      await api.end("SIGKILL");
      killed += 1;
      await api.start();
    }
  }

  await Promise.all([kill(), ...Array.from({ length: writers }, write)]);

  const acknowledged = plan.filter(({ acknowledgedId }) => acknowledgedId !== undefined);
  expect(killed).toBeGreaterThanOrEqual(kills);
  expect(acknowledged.length).toBeGreaterThan(writes * 0.8);

  const stored = await readWorkspaces();
  const byName = Map.groupBy(stored, ({ name }) => name);
  for (const { name, acknowledgedId } of plan) {
    const found = byName.get(name) ?? [];
    if (acknowledgedId === undefined) expect(found.length, name).toBeLessThanOrEqual(1);
    else expect(found.map(({ id }) => id)).toEqual([decodeId(acknowledgedId, "workspace")]);
  }
  expect(stored.map(({ owners }) => owners)).toEqual(stored.map(() => 1));

  const audited = await readCommittedAudit();
  expect(audited.toSorted()).toEqual(stored.map(({ name }) => name).toSorted());
  const { body } = await new HttpCaller(api.address, token).post({ argv: ["audit", "verify"] });
  expect(body).toMatchObject({ exitCode: 0, data: { intact: true } });

  const figures = {
    writes,
    killed,
    acknowledged: acknowledged.length,
    givenUp: writes - acknowledged.length,
    foundThoughGivenUp: stored.length - acknowledged.length,
    answeredFromAnEarlierAttempt: plan.filter(({ replayed }) => replayed).length,
    SVC_SEED: seed,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
});

async function acknowledge(write: Write): Promise<void> {
  const caller = new HttpCaller(api.address, token);
  const key = crypto.randomUUID();
  for (let attempt = 1; attempt <= write.attempts; attempt += 1) {
    const answer = await caller
      .fetch("/api/v1/cli", {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify({ argv: ["workspaces", "create", write.name], want: "data" }),
        signal: AbortSignal.timeout(10_000),
      })
      .then(async (sent) => ({
        status: sent.status,
        headers: sent.headers,
        body: (await sent.json()) as Answer,
      }))
      .catch(() => undefined);
    if (answer?.status === 200) {
      write.acknowledgedId = answer.body.data.id;
      write.replayed = answer.headers.get("idempotency-replayed") === "true";
      return;
    }
    // Only an outage is retried: any other answer is wrong.
    if (answer) expect(answer).toMatchObject({ status: 503 });
    await drawnPause(dice, 90);
  }
}

async function readWorkspaces(): Promise<{ id: string; name: string; owners: number }[]> {
  return query(sql`
    select id, name, (select count(*) from app.acl_entry where scope_id = workspace.id)::int as owners
    from app.workspace order by id`);
}

async function readCommittedAudit(): Promise<string[]> {
  const rows = await query<{ name: string }>(sql`
    select entry -> 'arguments' ->> 'name' as name from app.audit
    where command = 'workspaces create' and outcome = 'committed'`);
  return rows.map(({ name }) => name);
}

async function query<Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  const admin = new Database({ url: testDatabase.adminUrl, maxConnections: 1 });
  try {
    return (await admin.withDirectory((db) => statement.execute(db))).rows;
  } finally {
    await admin.close();
  }
}
