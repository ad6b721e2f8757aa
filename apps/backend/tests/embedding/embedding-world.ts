import { randomUUID } from "node:crypto";
import { Database, type TenantTransaction } from "@svc/database/database";
import { writePlace } from "@svc/search/index/places";
import {
  dequeueWorkspace,
  enqueueAll,
  enqueueFiles,
  enqueueWorkspace,
} from "@svc/search/vectors/embedding-queue";
import type { TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import pg from "pg";
import { expect } from "vitest";
import { dropLater, dropWorkspace, keepAfterAll } from "../../src/features/embeddings/drop-vectors.ts";
import { haveRuns, startRun } from "../../src/features/embeddings/run-store.ts";
import { lockSetting, saveSetting } from "../../src/features/embeddings/setting-store.ts";
import nodes from "../../src/features/files/search-sources/nodes.ts";
import { indexDocuments } from "../../src/platform/commands/index-documents.ts";
import { models, SteppedWorkers } from "./stepped-workers.ts";

const filesEach = 2;
const graceMillis = 8 * 86_400_000;

interface WorldFile {
  id: string;
  version: number;
  state: "absent" | "there" | "trashed" | "gone";
}

/**
 * A tenant with one workspace and two files, and workers that advance step by step. Files change as commands change
 * them: first the row, then the index, then the queue, in one transaction.
 */
export class EmbeddingWorld {
  readonly #tenantId = randomUUID();
  readonly #workspaceId = randomUUID();
  readonly #files: WorldFile[] = Array.from({ length: filesEach }, () => ({
    id: randomUUID(),
    version: 0,
    state: "absent",
  }));
  readonly #writers: Database;
  readonly #admin: pg.Pool;
  #isOn = false;
  #hasNext = false;
  /** What happened, to check that everything did. */
  readonly counts: Record<string, number> = {};
  readonly workers: SteppedWorkers;

  constructor(parts: { writers: Database; workers: Database; admin: pg.Pool }) {
    this.#writers = parts.writers;
    this.#admin = parts.admin;
    this.workers = new SteppedWorkers(parts.workers, this.#tenantId, (what) => this.#count(what));
  }

  static async open(testDatabase: TestDatabase) {
    const admin = new pg.Pool({ connectionString: testDatabase.adminUrl, max: 4 });
    // The database may be dropped while a connection of an ended pool is still closing.
    admin.on("error", () => {});
    return {
      writers: new Database({ url: testDatabase.appUrl, maxConnections: 4 }),
      workers: new Database({ url: testDatabase.workerUrl, maxConnections: 8 }),
      admin,
    };
  }

  async begin(): Promise<void> {
    await this.#write(async (transaction) => {
      const { db, tenantId } = transaction;
      const id = this.#workspaceId;
      await sql`insert into app.workspace (tenant_id, id, name, slug) values (${tenantId}, ${id}, 'w', 'w')`.execute(
        db,
      );
      await sql`
        insert into app.acl_scope (tenant_id, id, workspace_id, anchor_id) values (${tenantId}, ${id}, ${id}, ${id})`.execute(
        db,
      );
      await writePlace(transaction, { id, workspaceId: id, parentId: null, scopeId: id, isHidden: false });
    });
  }

  /** New content for a file; the first one creates it. */
  async change(index: number): Promise<void> {
    const file = this.#files[index % filesEach];
    if (!file || file.state === "trashed" || file.state === "gone") return;
    const version = file.version + 1;
    const text = `File ${file.id} has content ${version}.`;
    await this.#write(async (transaction) => {
      const { db, tenantId } = transaction;
      const workspace = this.#workspaceId;
      if (version === 1) {
        await sql`
          insert into app.node (
            tenant_id, id, workspace_id, parent_id, kind, name, acl_scope_id, content_version, size, media_type, sha256,
            created_by, updated_by)
          values (${tenantId}, ${file.id}, ${workspace}, ${workspace}, 'file', ${`${file.id}.txt`}, ${workspace}, 1, 1,
            'text/plain', '\\x00', ${tenantId}, ${tenantId})`.execute(db);
      } else {
        await sql`
          update app.node set content_version = ${version} where tenant_id = ${tenantId} and id = ${file.id}`.execute(
          db,
        );
      }
      await sql`
        insert into app.node_version (tenant_id, node_id, content_version, size, media_type, sha256, created_by)
        values (${tenantId}, ${file.id}, ${version}, 1, 'text/plain', '\\x00', ${tenantId})`.execute(db);
      await sql`
        insert into app.node_text (tenant_id, node_id, content_version, outcome, text, extractor_version)
        values (${tenantId}, ${file.id}, ${version}, 'ok', ${text}, 1)`.execute(db);
      await indexDocuments(transaction, nodes, [file.id]);
      await enqueueFiles(transaction, [file.id]);
    });
    file.version = version;
    file.state = "there";
    this.#count("change");
  }

  /** Into the trash and out of it. */
  async trash(index: number): Promise<void> {
    const file = this.#files[index % filesEach];
    if (file?.state !== "there" && file?.state !== "trashed") return;
    const isTrashed = file.state === "there";
    await this.#write(async (transaction) => {
      const { db, tenantId } = transaction;
      await sql`
        update app.node set trashed_at = ${isTrashed ? sql`now()` : sql`null`}
        where tenant_id = ${tenantId} and id = ${file.id}`.execute(db);
      await indexDocuments(transaction, nodes, [file.id]);
    });
    file.state = isTrashed ? "trashed" : "there";
    this.#count("trash");
  }

  async purge(index: number): Promise<void> {
    const file = this.#files[index % filesEach];
    if (file?.state !== "trashed") return;
    await this.#write(async ({ db, tenantId }) => {
      await sql`delete from app.node where tenant_id = ${tenantId} and id = ${file.id}`.execute(db);
    });
    file.state = "gone";
    this.#count("purge");
  }

  /** Turns semantic search on and off, like the command and its listener. */
  async flip(): Promise<void> {
    const isOn = !this.#isOn;
    await this.#write(async (transaction) => {
      const { db, tenantId } = transaction;
      await sql`
        update app.workspace set semantic_search_enabled = ${isOn}
        where tenant_id = ${tenantId} and id = ${this.#workspaceId}`.execute(db);
      if (isOn) {
        await keepAfterAll(transaction, this.#workspaceId);
        await enqueueWorkspace(transaction, this.#workspaceId);
        await haveRuns(transaction);
      } else {
        await dequeueWorkspace(transaction, this.#workspaceId);
        await dropLater({ ...transaction, now: this.workers.now }, this.#workspaceId);
      }
    });
    this.#isOn = isOn;
    this.#count("flip");
  }

  /** Adds another model next to the first, like the command, and removes it, like undo. */
  async changeModel(): Promise<void> {
    const hasNext = !this.#hasNext;
    await this.#write(async (transaction) => {
      const setting = await lockSetting(transaction);
      const nextModel = hasNext ? models.next : null;
      await saveSetting(transaction, { ...setting, model: models.first, nextModel });
      if (!hasNext) return;
      await haveRuns(transaction);
      await enqueueAll(transaction);
    });
    this.#hasNext = hasNext;
    this.#count("model");
  }

  async dropAfterGrace(): Promise<void> {
    const after = new Date(this.workers.now.getTime() + graceMillis);
    await this.workers.drop((transaction) => dropWorkspace(transaction, this.#workspaceId, after));
  }

  async startRun(): Promise<void> {
    await this.#write((transaction) => startRun(transaction, new Date(Date.now() + 1_000)));
  }

  /** Drains the queue, and checks that every file has what it should have. */
  async end(): Promise<void> {
    this.workers.crashAll();
    this.workers.wait();
    // The first ends the current run, the second takes the rest.
    for (let round = 0; round < 2; round += 1) {
      await this.startRun();
      for (let turn = 0; turn < 2; turn += 1) await this.workers.takeTurn();
    }
    if (!this.#isOn) await this.dropAfterGrace();
    await this.#check();
  }

  async #check(): Promise<void> {
    const { rows } = await this.#admin.query<{
      id: string;
      model: string;
      vectors: string[] | null;
      waits: boolean;
    }>(
      `select file.id, model.name as model, (
           select array_agg(substr(stored.text, embedding.start_at + 1, embedding.length) order by embedding.chunk)
           from app.file_embedding as embedding
           left join app.node_text as stored on stored.tenant_id = embedding.tenant_id
             and stored.node_id = embedding.node_id and stored.content_version = embedding.content_version
           where embedding.tenant_id = $1 and embedding.node_id = file.id and embedding.model = model.name) as vectors,
         exists (select from app.embedding_index_queue_entry as entry
           where entry.tenant_id = $1 and entry.node_id = file.id) as waits
       from unnest($2::uuid[]) as file (id), unnest($3::text[]) as model (name)`,
      [this.#tenantId, this.#files.map(({ id }) => id), Object.values(models)],
    );
    for (const { id, model, vectors, waits } of rows) {
      const file = this.#files.find((some) => some.id === id);
      const current = [`File ${id} has content ${file?.version}.`];
      const found = { vectors, waits };
      if (!this.#isOn || file?.state === "absent" || file?.state === "gone") {
        expect(found, "nothing of what nobody wants").toEqual({ vectors: null, waits: false });
      } else if (model === models.next && !this.#hasNext) {
        expect(vectors, "nothing of a model that was given up").toBeNull();
      } else if (file?.state === "there") {
        expect(found, "vectors of the current content").toEqual({ vectors: current, waits: false });
      } else if (!waits) {
        expect(vectors, "in the trash, where nothing waits: vectors of the current content").toEqual(current);
      }
    }
    const { again, atMost } = this.workers.asked;
    expect(
      again,
      "no answer is paid for twice, but those that a crash lost or that were dropped",
    ).toBeLessThanOrEqual(atMost);
  }

  #write<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    return this.#writers.withTenant({ tenantId: this.#tenantId, actorId: this.#tenantId }, "write", work);
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}
