import { randomUUID } from "node:crypto";
import { analyserVersion } from "@svc/search/analyser/analyse-text";
import { sampleMarks } from "@svc/search/index/sample-marks";
import type pg from "pg";
import { benchSize } from "../bench-size.ts";
import { Dice } from "../fulltext/words.ts";
import { type DrawnDocument, drawDocument, requireAsAnalysed } from "./draw-document.ts";

export interface LargeTenant {
  tenantId: string;
  workspaceId: string;
  /** Each with its own access list of the same id. */
  places: string[];
}

export interface LargeTenantSize {
  documents: number;
  places: number;
  /** Dedicated ones, filled one after the other, as by dividing. */
  shelves: readonly number[];
}

const atOnce = 2_000;
/** So many are drawn; the others have the texts of these, which leaves the share of documents with a score as it is. */
const mostDrawn = benchSize(500_000, 1_000);
const copiedAtOnce = benchSize(50_000, 500);

/** A tenant's documents and nothing else: no files, no texts. Their word indexes are built at the end. */
export async function fillLargeTenant(
  client: pg.Client,
  { documents, places: count, shelves }: LargeTenantSize,
  progress: (line: string) => void = console.error,
): Promise<LargeTenant> {
  const [tenantId, workspaceId] = [randomUUID(), randomUUID()];
  const places = Array.from({ length: count }, () => randomUUID());
  await client.query(
    `insert into app.search_place (tenant_id, id, workspace_id, parent_id, acl_scope_id, is_hidden)
     select $1, id, $2, null, id, false from unnest($3::uuid[]) as id`,
    [tenantId, workspaceId, places],
  );
  await takeShelves(client, tenantId, shelves);
  const indexes = await dropWordIndexes(client, shelves);
  const drawn = Math.min(documents, mostDrawn);
  const shelfOf = (number: number) => shelves[Math.floor((number * shelves.length) / documents)] ?? 0;
  const tenant = { tenantId, workspaceId, places };
  await drawDocuments(client, tenant, drawn, shelfOf, progress);
  for (let copied = drawn; copied < documents; copied += copiedAtOnce) {
    const range = { from: copied % drawn, count: Math.min(copiedAtOnce, documents - copied) };
    await copyDocuments(client, tenant, range, { source: shelfOf(0), target: shelfOf(copied) });
    progress(`${copied + range.count} of ${documents} documents`);
  }
  await requireMarks(client, shelfOf(documents - 1));
  await client.query("set maintenance_work_mem = '1GB'");
  for (const definition of indexes) {
    progress(definition);
    await client.query(definition);
  }
  await client.query("select app.count_search_documents($1)", [tenantId]);
  return tenant;
}

async function drawDocuments(
  client: pg.Client,
  tenant: LargeTenant,
  count: number,
  shelfOf: (number: number) => number,
  progress: (line: string) => void,
): Promise<void> {
  const dice = new Dice(count);
  let inserted = Promise.resolve();
  for (let begin = 0; begin < count; begin += atOnce) {
    const drawn = Array.from({ length: Math.min(atOnce, count - begin) }, (_, index) =>
      drawDocument(dice, begin + index),
    );
    if (begin === 0) for (const document of drawn.slice(0, 20)) requireAsAnalysed(document);
    // The next ones are drawn while these are inserted.
    await inserted;
    inserted = insert(client, tenant, { shelf: shelfOf(begin), begin }, drawn);
    if (begin % 100_000 === 0) progress(`${begin} of ${count} documents drawn`);
  }
  await inserted;
}

async function takeShelves(client: pg.Client, tenantId: string, shelves: readonly number[]): Promise<void> {
  const isDivided = shelves.length > 1;
  await client.query(
    `insert into app.search_shelf (tenant_id, shelf_id, full_shelves, moving_to, is_divided)
     values ($1, $2, $3, $4, $5)`,
    [tenantId, shelves[0], shelves.slice(1, -1), isDivided ? shelves.at(-1) : null, isDivided],
  );
}

/** Returns their definitions. */
async function dropWordIndexes(client: pg.Client, shelves: readonly number[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'app' and tablename = any($1::text[]) and indexdef ilike '%using gin%'`,
    [shelves.map((shelf) => `search_document_${shelf}`)],
  );
  for (const { name } of rows) await client.query(`drop index app.${name}`);
  return rows.map(({ definition }) => definition);
}

/** Into the partition: so nothing is noted for each statement, and the tenant is counted at the end. */
async function insert(
  client: pg.Client,
  { tenantId, workspaceId, places }: LargeTenant,
  { shelf, begin }: { shelf: number; begin: number },
  documents: readonly DrawnDocument[],
): Promise<void> {
  const lines = (column: (document: DrawnDocument, index: number) => string | number) =>
    documents.map(column).join("\n");
  await client.query(
    `insert into app.search_document_${shelf} (tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name,
       whole_name, name_tsv, name_length, body_tsv, body_length, is_cut, extension, media_type, updated_at,
       content_version, analyser_version)
     select $1, $2, id::uuid, 'FILE', $3, place::uuid, name, whole, name_tsv::tsvector, name_length::int,
       body_tsv::tsvector, $4, false, 'txt', 'text/plain', now() - random() * interval '700 days', 1, ${analyserVersion}
     from unnest(${[5, 6, 7, 8, 9, 10, 11].map((number) => `string_to_array($${number}, e'\\n')`).join(", ")})
       as given (id, place, name, whole, name_tsv, name_length, body_tsv)`,
    [
      tenantId,
      shelf,
      workspaceId,
      documents[0]?.words.length,
      lines(({ id }) => id),
      lines((_, index) => places[(begin + index) % places.length] ?? ""),
      lines(({ name }) => name),
      lines(({ wholeName }) => wholeName),
      lines(({ nameVector }) => nameVector),
      lines(({ nameLength }) => nameLength),
      lines(({ vector }) => vector),
    ],
  );
}

/** The same texts under other ids, in other places, at other times. An id draws its sample marks: `sample-marks.ts`. */
async function copyDocuments(
  client: pg.Client,
  { tenantId, places }: LargeTenant,
  { from, count }: { from: number; count: number },
  { source, target }: { source: number; target: number },
): Promise<void> {
  await client.query(
    `insert into app.search_document_${target} (tenant_id, shelf_id, id, entity_type, workspace_id, place_id, name,
       whole_name, name_tsv, name_length, body_tsv, body_length, is_cut, extension, media_type, updated_at,
       content_version, analyser_version)
     select tenant_id, ${target}, copy.id, entity_type, workspace_id, ($2::uuid[])[1 + number % $3], name, whole_name,
       name_tsv, name_length, ts_delete(body_tsv, mark.known) || array_to_tsvector(mark.known[:level]), body_length, is_cut,
       extension, media_type, now() - random() * interval '700 days', content_version, analyser_version
     from (
       select *, row_number() over (order by id) + $4 as number from (
         select * from app.search_document_${source} where tenant_id = $1 order by id offset $4 limit $5) as drawn) as drawn
     cross join lateral (select uuidv7() as id from (select drawn.id) as each offset 0) as copy
     cross join lateral (
       select ('x' || right(copy.id::text, 8))::bit(32)::bigint as digits offset 0) as random
     cross join lateral (
       select case when digits = 0 then 32 else log(2, (digits & -digits)::numeric)::int end as level offset 0) as sampled
     cross join (select array_agg('~s' || level order by level) as known from generate_series(1, 32) as level) as mark`,
    [tenantId, places, places.length, from, count],
  );
}

async function requireMarks(client: pg.Client, shelf: number): Promise<void> {
  const { rows } = await client.query<{ id: string; marks: string[] }>(
    `select id, array(select lexeme from unnest(body_tsv) where lexeme like '~s%' order by lexeme) as marks
     from app.search_document_${shelf} order by id desc limit 1000`,
  );
  for (const { id, marks } of rows) {
    const expected = sampleMarks(id)
      .map((mark) => mark.replaceAll("'", ""))
      .toSorted();
    if (marks.join() !== expected.join()) throw new Error(`${id} has the marks ${marks}, not ${expected}`);
  }
}
