import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "@svc/database/database";
import { createTestDatabase } from "@svc/testing/test-database";
import { waitUntil } from "@svc/testing/wait-until";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { FileSystemStore } from "../blobs/file-system-store.ts";
import { featuresFolder } from "../process/features-folder.ts";
import { Embedders } from "../search/embedders.ts";
import { SearchSources } from "../search/search-source.ts";
import { Staging } from "../uploads/staging.ts";
import { startQueue } from "./queue.ts";

test("a worker creates its queue, and the sweep removes expired rows and keeps the rest", async () => {
  const testDatabase = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), "svc-queue-"));
  const database = new Database({ url: testDatabase.workerUrl });
  const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  const runner = await startQueue({
    databaseUrl: testDatabase.workerUrl,
    databaseSilenceMillis: 20_000,
    database,
    featuresFolder,
    search: { sources: await SearchSources.load(featuresFolder) },
    embedders: new Embedders([]),
    settings: { reindexPause: 0, shelfDocuments: 50_000, embeddingCron: "0 3 * * 0", embeddingSpread: 9 },
    blobStore: new FileSystemStore(folder),
    staging: new Staging(folder),
    log: pino({ level: "silent" }),
  });
  onTestFinished(async () => {
    await runner.stop();
    await database.close();
    await admin.end();
    await testDatabase.drop();
    await rm(folder, { recursive: true });
  });
  await admin.query(`
    insert into app.idempotency (tenant_id, actor_id, key_hash, fingerprint, expires_at)
    select uuidv7(), uuidv7(), 'key', name, now() + age from (values ('old', interval '-1 minute'), ('new', '1 hour')) v(name, age);
    insert into app.preview (tenant_id, token_hash, actor_id, fingerprint, expires_at)
    values (uuidv7(), 'token', uuidv7(), 'old', now() - interval '1 minute');
    insert into app.search_query (tenant_id, actor_id, query, normalised, hits, at)
    select uuidv7(), uuidv7(), name, name, 0, now() - age from (values ('old', interval '91 days'), ('new', '89 days')) v(name, age);
    select graphile_worker.add_job('operations:sweep-expired');
  `);
  const remaining = async () => {
    const { rows } = await admin.query(
      `select fingerprint from app.idempotency union all select fingerprint from app.preview
        union all select query from app.search_query`,
    );
    return rows.map(({ fingerprint }) => fingerprint);
  };
  await waitUntil(async () => expect(await remaining()).toEqual(["new", "new"]));
});
