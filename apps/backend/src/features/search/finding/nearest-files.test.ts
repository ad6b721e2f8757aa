import { randomUUID } from "node:crypto";
import { Database, type TenantTransaction } from "@svc/database/database";
import { toHalfvec } from "@svc/search/vectors/halfvec";
import { countVisibleChunks, nearestFiles } from "@svc/search/vectors/nearest-files";
import type { Filters, Source } from "@svc/search/visibility/visible-documents";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

/** Two ways to the same answer: comparing each chunk, or walking the graph from the first chunk. */
const ways = { exact: 1_000_000, graph: 0 };
const model = "model-a";
const shelf = 3;
const otherShelf = 4;

let testDatabase: TestDatabase;
let database: Database;
let admin: pg.Client;
let tenantId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.appUrl, maxConnections: 2 });
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  // Vectors belong to nodes; here they have none.
  await admin.query("set session_replication_role = replica; set synchronous_commit = off");
});
afterAll(async () => {
  await admin.end();
  await database.close();
  await testDatabase.drop();
});
beforeEach(() => {
  tenantId = randomUUID();
});

describe.each(Object.entries(ways))("the nearest files (%s)", (way, border) => {
  /** Among enough others, which are all farther away, the walk does not end before it finds them. */
  async function nearest(files: number, more: Partial<Asked> = {}) {
    const answer = await ask({ border, files, ...more });
    expect(answer.isExact).toBe(way === "exact");
    return answer.files;
  }
  const nearestIds = async (files: number, more?: Partial<Asked>) =>
    (await nearest(files, more)).map(({ id }) => id);

  test("come in the order of their nearest chunks, each once, with that passage", async () => {
    const place = await addPlace();
    await addCrowd(place);
    const far = await addFile({ place, angles: [0.9] });
    const near = await addFile({ place, angles: [1.2, 0.1, 0.4] });
    const between = await addFile({ place, angles: [0.5, 0.6] });
    const files = await nearest(3);
    expect(files).toEqual([
      { id: near, distance: expect.closeTo(1 - Math.cos(0.1), 3), start: 100, length: 90 },
      { id: between, distance: expect.closeTo(1 - Math.cos(0.5), 3), start: 0, length: 90 },
      { id: far, distance: expect.closeTo(1 - Math.cos(0.9), 3), start: 0, length: 90 },
    ]);
    expect(await nearestIds(2)).toEqual([near, between]);
  });

  test("are as many as requested, even if one file has most of the near chunks", async () => {
    const place = await addPlace();
    await addCrowd(place);
    await addCrowd(place);
    const book = await addFile({ place, angles: Array.from({ length: 60 }, (_, index) => index / 1_000) });
    const leaves = [];
    for (let index = 0; index < 10; index += 1) {
      leaves.push(await addFile({ place, angles: [0.5 + index / 20] }));
    }
    expect(await nearestIds(5)).toEqual([book, ...leaves.slice(0, 4)]);
  });

  test("are all existing ones, if more were requested", async () => {
    const place = await addPlace();
    const files = [await addFile({ place, angles: [0.1, 0.3] }), await addFile({ place, angles: [0.2] })];
    expect(await ask({ border, files: 10 })).toMatchObject({
      files: files.map((id) => ({ id })),
      isExact: true,
    });
  });

  test("are in lists, workspaces and the tenant of the caller, and not in the trash or below it", async () => {
    const place = await addPlace();
    await addCrowd(place);
    const mine = await addFile({ place, angles: [0.8] });
    const angles = [0.1];
    await addFile({ place: null, angles });
    await addFile({ place: await addPlace({ scope: randomUUID() }), angles });
    await addFile({ place: await addPlace({ workspace: randomUUID() }), angles });
    await addFile({ place: await addPlace({ isHidden: true }), angles });
    const stranger = randomUUID();
    await addFile({ place: await addPlace({ tenant: stranger }), angles });
    await addFile({ place: await addPlace({ tenant: stranger }), angles, tenant: stranger });
    await addFile({ place, angles, tenant: stranger });
    expect(await nearestIds(1)).toEqual([mine]);
  });

  test("were embedded by the same model", async () => {
    const place = await addPlace();
    await addCrowd(place);
    const file = await addFile({ place, angles: [0.7] });
    await addVectors(file, { place, angles: [0, 0.1], model: "model-b" });
    await addFile({ place, angles: [0.2], model: "model-b" });
    const distance = expect.closeTo(1 - Math.cos(0.7), 3);
    expect(await nearest(1)).toEqual([{ id: file, distance, start: 0, length: 90 }]);
  });

  test("are on both shelves while the tenant moves", async () => {
    const place = await addPlace();
    await addCrowd(place);
    await addCrowd(place, { shelf: otherShelf });
    const first = await addFile({ place, angles: [0.1] });
    const second = await addFile({ place, angles: [0.2], shelf: otherShelf });
    const third = await addFile({ place, angles: [0.3] });
    const shelves = [shelf, otherShelf];
    expect(await nearestIds(3, { shelves })).toEqual([first, second, third]);
    expect(await nearestIds(3, { shelves, filters: { mediaType: "text/plain" } })).toEqual([
      first,
      second,
      third,
    ]);
    expect(await nearestIds(2)).toEqual([first, third]);
  });

  test("pass every filter", async () => {
    const place = await addPlace();
    const below = await addPlace({ parent: place });
    const owner = randomUUID();
    const pictures = { mediaType: "image/png", extension: "png" };
    for (const inside of [place, below]) {
      await addCrowd(inside, { owner });
      await addCrowd(inside, { ...pictures, owner });
    }
    const old = await addFile({ place, angles: [0.1], owner, updatedAt: new Date("2020-01-01") });
    const text = await addFile({ place, angles: [0.2], owner });
    const picture = await addFile({ place: below, angles: [0.3], owner, ...pictures });
    const strange = await addFile({ place, angles: [0.4], owner: randomUUID() });
    const passing = (files: number, filters: Partial<Filters>) => nearestIds(files, { filters });
    expect(await passing(4, {})).toEqual([old, text, picture, strange]);
    expect(await passing(1, { types: ["png"] })).toEqual([picture]);
    expect(await passing(3, { excludedTypes: ["png"] })).toEqual([old, text, strange]);
    expect(await passing(1, { mediaType: "image/png" })).toEqual([picture]);
    expect((await passing(4, { ownerIds: [owner] })).slice(0, 3)).toEqual([old, text, picture]);
    expect(await passing(4, { ownerIds: [owner] })).not.toContain(strange);
    expect(await passing(3, { updatedAfter: new Date("2021-01-01") })).toEqual([text, picture, strange]);
    expect(await passing(1, { within: [below] })).toEqual([picture]);
    expect(await passing(3, { notWithin: [below] })).toEqual([old, text, strange]);
    expect((await ask({ border, files: 4, filters: { entityTypes: ["RECORD", "FOLDER"] } })).files).toEqual(
      [],
    );
  });

  test("come from the graph only if that is the chosen way, and the next statement is planned as usual", async () => {
    await addCrowd(await addPlace());
    await inTransaction(async (transaction) => {
      const before = await graphScans(transaction);
      await find(transaction, { border, files: 2 });
      const walked = (await graphScans(transaction)) - before;
      expect(walked > 0).toBe(way === "graph");
      const { rows } = await sql`
        select current_setting('enable_sort') as sort, current_setting('enable_seqscan') as seqscan`.execute(
        transaction.db,
      );
      expect(rows).toEqual([{ sort: "on", seqscan: "on" }]);
    });
  });
});

test("an exact answer does not come from the graph, even if nothing else can sort", async () => {
  await addCrowd(await addPlace());
  await inTransaction(async (transaction) => {
    const before = await graphScans(transaction);
    await sql`select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)`.execute(
      transaction.db,
    );
    await find(transaction, { border: ways.exact, files: 2 });
    expect(await graphScans(transaction)).toBe(before);
  });
});

async function graphScans({ db }: TenantTransaction): Promise<number> {
  const { rows } = await sql<{ scans: number }>`
    select pg_stat_get_xact_numscans(indexrelid) as scans
    from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
    where indrelid = ${`app.file_embedding_${shelf}`}::regclass and amname = 'hnsw'`.execute(db);
  return rows[0]?.scans ?? Number.NaN;
}

test("counts visible chunks up to one more than the limit", async () => {
  const place = await addPlace();
  await addFile({ place, angles: [0.1, 0.2, 0.3] });
  await addFile({ place, angles: [0.1], mediaType: "image/png" });
  await addFile({ place, angles: [0.1], model: "model-b" });
  await addFile({ place: null, angles: [0.1] });
  await addFile({ place: await addPlace({ scope: randomUUID() }), angles: [0.1] });
  const count = (border: number, filters: Partial<Filters> = {}) =>
    inTransaction((transaction) => countVisibleChunks(transaction, sourceOf({ filters }), model, border));
  expect(await count(10)).toBe(4);
  expect(await count(4)).toBe(4);
  expect(await count(2)).toBe(3);
  expect(await count(10, { mediaType: "image/png" })).toBe(1);
});

const workspace = randomUUID();
const scope = randomUUID();

interface Asked {
  border: number;
  files: number;
  shelves?: number[];
  filters?: Partial<Filters>;
}

function sourceOf({ shelves = [shelf], filters = {} }: Partial<Asked>): Omit<Source, "reach"> {
  const visibility = { workspaceIds: [workspace], scopeIds: [scope], doorIds: [] };
  return { tenantId, shelves, visibility, filters: { entityTypes: ["FILE"], ...filters } };
}

function inTransaction<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
  return database.withTenant({ tenantId, actorId: tenantId }, "read", work);
}

function find(transaction: TenantTransaction, asked: Asked) {
  const { border, files } = asked;
  return nearestFiles(transaction, sourceOf(asked), {
    model,
    vector: vectorAt(0),
    files,
    visibleChunks: 1_000,
    border,
  });
}

function ask(asked: Asked) {
  return inTransaction((transaction) => find(transaction, asked));
}

/** In one plane: the distance to the vector at 0 grows with the angle. */
function vectorAt(angle: number): string {
  return toHalfvec(new Float32Array(768).fill(Math.cos(angle), 0, 1).fill(Math.sin(angle), 1, 2));
}

async function addPlace(
  more: { tenant?: string; workspace?: string; scope?: string; isHidden?: boolean; parent?: string } = {},
): Promise<string> {
  const id = randomUUID();
  await admin.query(
    `insert into app.search_place (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      more.tenant ?? tenantId,
      id,
      more.workspace ?? workspace,
      more.parent ?? null,
      more.scope ?? scope,
      more.isHidden ?? false,
    ],
  );
  return id;
}

interface NewVectors {
  /** Null if its file is in the trash. */
  place: string | null;
  angles: readonly number[];
  tenant?: string;
  shelf?: number;
  model?: string;
}

interface NewFile extends NewVectors {
  mediaType?: string;
  extension?: string;
  owner?: string;
  updatedAt?: Date;
}

async function addFile(file: NewFile): Promise<string> {
  const id = randomUUID();
  await addDocuments([id], file);
  await addVectors(id, file);
  return id;
}

/** Files that are all farther away than any other here. */
async function addCrowd(place: string, more: Partial<NewFile> = {}): Promise<void> {
  const ids = Array.from({ length: 60 }, () => randomUUID());
  const crowd = { place, angles: ids.map((_, index) => 2 + index / 100), ...more };
  await addDocuments(ids, crowd);
  await addVectors(ids, crowd);
}

async function addDocuments(ids: readonly string[], file: NewFile): Promise<void> {
  if (file.place === null) return;
  await admin.query(
    `insert into app.search_document (tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name, whole_name,
       name_tsv, name_length, body_tsv, body_length, is_cut, extension, media_type, owner_id, updated_at,
       content_version, analyser_version)
     select $1, $2, id, 'FILE', $4, $5, '', '', '', 0, '', 0, false, $6, $7, $8, $9, 1, 1 from unnest($3::uuid[]) as id`,
    [
      file.tenant ?? tenantId,
      file.shelf ?? shelf,
      ids,
      workspace,
      file.place,
      file.extension ?? "txt",
      file.mediaType ?? "text/plain",
      file.owner ?? null,
      file.updatedAt ?? new Date(),
    ],
  );
}

/** All of one file, or one of each. */
async function addVectors(files: string | readonly string[], vectors: NewVectors): Promise<void> {
  const isOne = typeof files === "string";
  await admin.query(
    `insert into app.file_embedding (tenant_id, shelf_id, node_id, model, chunk, content_version, place_id, start_at,
       length, text_hash, embedding)
     select $1, $2, file, $4, chunk, 1, $5, chunk * 100, 90, sha256(''), vector::halfvec
     from unnest($3::uuid[], $6::int[], $7::text[]) as given (file, chunk, vector)`,
    [
      vectors.tenant ?? tenantId,
      vectors.shelf ?? shelf,
      isOne ? vectors.angles.map(() => files) : files,
      vectors.model ?? model,
      vectors.place,
      vectors.angles.map((_, index) => (isOne ? index : 0)),
      vectors.angles.map(vectorAt),
    ],
  );
}
