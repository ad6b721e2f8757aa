/// <reference lib="es2025.float16" />
import { analyserVersion } from "@svc/search/analyser/analyse-text";
import { sharedShelves } from "@svc/search/index/shelf";
import type pg from "pg";
import { benchSize } from "../bench-size.ts";
import { Dice } from "../fulltext/words.ts";
import { sampleTenant } from "../scale-data/sample-tenant.ts";
import { ensureScaleDatabase, type ScaleDatabase } from "../scale-data/scale-database.ts";
import { withClient } from "../with-client.ts";
import type { RealText, RealTexts } from "./real-vectors.ts";

/** At full size half a million chunks, 150,000 of them the sample tenant's. */
const size = benchSize(
  { tenants: 2_000, workspaces: 20_000, auditEntries: 20_000, nodes: 338_000 },
  { tenants: 20, workspaces: 60, auditEntries: 200, nodes: 1_000 },
);
const atOnce = 1_000;
/** Increment it when the generated data changes. */
const version = 2;

/** Files with vectors of real texts, one or two chunks each: filled once, and kept. */
export function ensureVectorsDatabase(
  { model, documents }: RealTexts,
  progress: (line: string) => void = console.error,
): Promise<ScaleDatabase> {
  return ensureScaleDatabase(size, progress, {
    ending: "vectors",
    description: `vectors ${version} of ${documents.length} texts by ${model}`,
    fill: (adminUrl) => withClient(adminUrl, (client) => fillVectors(client, { model, documents, progress })),
  });
}

interface Filling {
  model: string;
  documents: readonly RealText[];
  progress: (line: string) => void;
}

async function fillVectors(client: pg.Client, filling: Filling): Promise<void> {
  const { model, documents, progress } = filling;
  // The data is known to satisfy foreign keys and indexes.
  await client.query("set session_replication_role = replica");
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as definition from pg_indexes
    where schemaname = 'app' and (tablename = 'file_embedding' and indexdef ilike '%using hnsw%'
      or tablename like 'search_document_%' and indexdef ilike '%using gin%')`);
  for (const { name } of indexes) await client.query(`drop index app.${name}`);
  await client.query(`
    truncate app.node_text, app.file_embedding, app.search_document, app.search_place, app.search_shelf`);
  await client.query(
    "insert into app.search_shelf (tenant_id, shelf_id) select tenant_id, $1 from control.tenant where slug = $2",
    [sharedShelves, sampleTenant.slug],
  );
  await client.query("update app.workspace set semantic_search_enabled = true");
  await client.query(
    "insert into app.embedding_setting (tenant_id, model) select tenant_id, $1 from control.tenant",
    [model],
  );
  await client.query(`
    insert into app.search_place (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
    select tenant_id, id, id, null, id, false from app.workspace
    union all
    select tenant_id, id, workspace_id, parent_id, acl_scope_id, false from app.node where kind = 'folder'`);
  await client.query(`
    create temp table placed as
    select node.tenant_id, node.id, case when kind = 'folder' then node.id else parent_id end as place_id,
      coalesce(shelf.shelf_id, ('x' || right(node.tenant_id::text, 4))::bit(16)::int % ${sharedShelves}) as shelf_id
    from app.node left join app.search_shelf as shelf using (tenant_id);
    create unique index on placed (id);
    analyze placed`);
  // All of the same age: the nearest then comes first, and the exact answer can be compared. Without tiers, so of an
  // earlier analyser.
  await client.query(`
    insert into app.search_document (tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name, whole_name,
      name_tsv, name_length, body_tsv, body_length, is_cut, extension, media_type, updated_at, content_version,
      analyser_version)
    select node.tenant_id, shelf_id, id, upper(kind), workspace_id, place_id, name, name, to_tsvector('simple', name), 3,
      '', 0, false, case when kind = 'file' then 'txt' end, media_type, now(), 1,
      ${analyserVersion - 1}
    from app.node join placed using (id)`);
  await client.query("create temp table base (number int primary key, text text)");
  await client.query(
    "insert into base select number - 1, text from unnest($1::text[]) with ordinality as t (text, number)",
    [documents.map(({ text }) => text)],
  );
  await insertChunks(client, filling);
  const started = performance.now();
  await client.query("set maintenance_work_mem = '2GB'");
  for (const { definition } of indexes) await client.query(definition);
  progress(`indexed in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  await client.query("call app.count_all_search_documents()");
  await client.query(
    "vacuum (analyze) app.file_embedding, app.search_document, app.search_place, app.node_text, app.workspace",
  );
}

interface Chunk {
  file: string;
  number: number;
  base: number;
  start: number;
}

async function insertChunks(client: pg.Client, { model, documents, progress }: Filling): Promise<void> {
  const { rows: types } = await client.query<{ oid: number }>("select 'halfvec'::regtype::oid::int as oid");
  const { rows: files } = await client.query<{ id: string; place: string }>(
    "select id, place_id as place from placed join app.node using (id) where kind = 'file' order by id",
  );
  const dice = new Dice(7);
  for (let start = 0; start < files.length; start += atOnce) {
    const chunks = files.slice(start, start + atOnce).flatMap(({ id, place }, index): Chunk[] => {
      const first = drawBase(dice, place, documents.length);
      const chunk = { file: id, number: 0, base: first, start: 0 };
      if (index % 2 === 0) return [chunk];
      const second = drawBase(dice, place, documents.length);
      const before = documents[first]?.text.length ?? 0;
      return [chunk, { file: id, number: 1, base: second, start: before + separator.length }];
    });
    const vectors = chunks.map(({ base }) => noised(dice, (documents[base] as RealText).vector));
    await client.query(
      `with given as materialized (
         select * from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::halfvec[])
           as given (id, number, base, start, embedding)),
       stored as (
         insert into app.node_text (tenant_id, node_id, content_version, outcome, text, extractor_version)
         select tenant_id, id, 1, 'ok', string_agg(text, $7 order by given.number), 1
         from given join placed using (id) join base on base.number = given.base group by 1, 2)
       insert into app.file_embedding (tenant_id, shelf_id, node_id, model, chunk, content_version, place_id, start_at,
         length, text_hash, embedding)
       select tenant_id, shelf_id, id, $6, given.number, 1, place_id, start, length(text),
         sha256(uuid_send(id) || int4send(given.number)), embedding
       from given join placed using (id) join base on base.number = given.base`,
      [
        chunks.map(({ file }) => file),
        chunks.map(({ number }) => number),
        chunks.map(({ base }) => base),
        chunks.map((chunk) => chunk.start),
        binaryArray(types[0]?.oid ?? 0, vectors),
        model,
        separator,
      ],
    );
    if (start % 50_000 === 0) progress(`${start} of ${files.length} files`);
  }
}

const separator = "\n\n";

/** Half of each folder is about its own topic: as in real life, a caller does not see a random sample. */
function drawBase(dice: Dice, folder: string, bases: number): number {
  const anything = dice.between(0, bases - 1);
  if (dice.next() < 0.5) return anything;
  const topic = Number.parseInt(folder.slice(-6), 16) % bases;
  return (topic + dice.between(0, topicWidth)) % bases;
}

const topicWidth = 300;
/** Dimensions of MiniLM: the rest is padding, and stays zero. */
const usedDimensions = 384;

/** Somewhere around the vector: cosines to it are between 0.74 and 0.96. */
function noised(dice: Dice, vector: Float32Array): Float32Array {
  const deviation = (0.3 + 0.6 * dice.next()) / Math.sqrt(usedDimensions);
  const result = new Float32Array(vector.length);
  let squares = 0;
  for (let index = 0; index < usedDimensions; index += 1) {
    // The sum of three is close enough to a normal distribution: its variance is a quarter.
    const bell = 2 * (dice.next() + dice.next() + dice.next() - 1.5);
    const value = (vector[index] as number) + deviation * bell;
    result[index] = value;
    squares += value * value;
  }
  const norm = Math.sqrt(squares);
  return result.map((value) => value / norm);
}

/** `halfvec[]` as PostgreSQL receives it in binary: as text these would be gigabytes. */
function binaryArray(elementType: number, vectors: readonly Float32Array[]): Buffer {
  const dimensions = vectors[0]?.length ?? 0;
  const elementBytes = 4 + 2 * dimensions;
  const bytes = Buffer.alloc(20 + vectors.length * (4 + elementBytes));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  [1, 0, elementType, vectors.length, 1].forEach((value, index) => {
    view.setInt32(4 * index, value);
  });
  let at = 20;
  for (const vector of vectors) {
    view.setInt32(at, elementBytes);
    view.setInt16(at + 4, dimensions);
    at += 8;
    for (const value of vector) {
      view.setFloat16(at, value);
      at += 2;
    }
  }
  return bytes;
}
