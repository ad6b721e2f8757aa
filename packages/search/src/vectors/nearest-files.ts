import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { type RawBuilder, sql } from "kysely";
import { onShelves } from "../index/shelf.ts";
import { hasDocumentFilters, passes, type Source, visiblePlaces } from "../visibility/visible-documents.ts";

export interface NearFile {
  id: string;
  /** The cosine distance of its nearest chunk: 0 is the same direction, 2 the opposite one. */
  distance: number;
  /** That chunk, in characters of the file's text. */
  start: number;
  length: number;
}

export interface NearestFiles {
  /** The nearest first. */
  files: NearFile[];
  /** Whether every visible chunk was compared; otherwise the graph was walked, which may miss some. */
  isExact: boolean;
}

interface Question {
  /** Vectors of other models are never compared with this one. */
  model: string;
  /** In the format of `toHalfvec`. */
  vector: string;
  /** At most. */
  files: number;
  /** The result of `countVisibleChunks`. */
  visibleChunks: number;
  border?: number;
}

/** Up to this many visible chunks each is compared; above, the graph is walked (ADR 27). */
const exactBorder = 10_000;

/**
 * Visiting a chunk costs eight times as much as comparing one: after this many, comparing all costs about as much (ADR
 * 27).
 */
const walk = { efSearch: 400, mostScanned: 4_000 };

/** A file's chunks are close to each other, and count once. */
const overFetch = { times: 2, least: 40, timesMore: 4 };

/**
 * Exact for callers who see few chunks. The graph does not know rights: if few of its neighbours are visible, it misses
 * most.
 */
export async function nearestFiles(
  transaction: TenantTransaction,
  source: Omit<Source, "reach">,
  { border = exactBorder, ...question }: Question,
): Promise<NearestFiles> {
  if (!source.filters.entityTypes.includes("FILE")) return { files: [], isExact: true };
  if (question.visibleChunks > border) {
    const files = await walkGraph(transaction, source, question);
    if (files) return { files, isExact: false };
  }
  return { files: await compareAll(transaction, source, question), isExact: true };
}

/** Counts up to one more than the threshold: above it the exact number does not matter. */
export async function countVisibleChunks(
  { db, tenantId }: TenantTransaction,
  source: Omit<Source, "reach">,
  model: string,
  border = exactBorder,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)}
    select count(*) from (select ${visibleChunks(source, model)} limit ${border + 1})`.execute(db);
  return rows[0]?.count ?? 0;
}

function enoughChunks(files: number): number {
  return Math.max(overFetch.least, files * overFetch.times);
}

async function compareAll(
  { db, tenantId }: TenantTransaction,
  source: Omit<Source, "reach">,
  { model, vector, files }: Question,
): Promise<NearFile[]> {
  for (let limit = enoughChunks(files); ; limit *= overFetch.timesMore) {
    // A sum cannot use the graph.
    const { rows } = await sql<NearFile>`
      ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)}
      select ${columns}, ${distanceTo(vector)} + 0 as distance ${visibleChunks(source, model)}
      order by distance limit ${limit}`.execute(db);
    const found = nearestOfEach(rows, files);
    if (found.length === files || rows.length < limit) return found;
  }
}

/** Undefined if the walk ended before it had found enough. */
async function walkGraph(
  transaction: TenantTransaction,
  source: Omit<Source, "reach">,
  question: Question,
): Promise<NearFile[] | undefined> {
  const { db } = transaction;
  await sql`
    select set_config('hnsw.iterative_scan', 'relaxed_order', true),
      set_config('hnsw.ef_search', ${String(walk.efSearch)}, true),
      set_config('hnsw.max_scan_tuples', ${String(walk.mostScanned)}, true),
      ${allowOtherPlans(false)}`.execute(db);
  const found = await walkOn(transaction, source, question);
  await sql`select ${allowOtherPlans(true)}`.execute(db);
  return found;
}

async function walkOn(
  { db, tenantId }: TenantTransaction,
  source: Omit<Source, "reach">,
  { model, vector, files }: Question,
): Promise<NearFile[] | undefined> {
  for (let limit = enoughChunks(files); ; limit *= overFetch.timesMore) {
    // As a truth value the list of places does not become a join, which would lose the order.
    const { rows } = await sql<NearFile>`
      ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)}
      select ${columns}, ${distanceTo(vector)} as distance from app.file_embedding as embedding
      where ${isOf(source, model)} and (embedding.place_id in (select id from place)) is true
        and ${documentPasses(source)}
      order by distance limit ${limit}`.execute(db);
    if (rows.length < limit) return undefined;
    const found = nearestOfEach(rows, files);
    if (found.length === files) return found;
  }
}

/** With a sort, or with any other index, PostgreSQL would compare all chunks if it thinks that is cheaper. */
function allowOtherPlans(allow: boolean) {
  const value = allow ? "on" : "off";
  return sql`set_config('enable_sort', ${value}, true), set_config('enable_seqscan', ${value}, true)`;
}

const columns = sql`embedding.node_id as id, embedding.start_at as start, embedding.length`;

function distanceTo(vector: string) {
  return sql`(embedding.embedding <=> ${vector}::halfvec)`;
}

function isOf({ tenantId, shelves }: Omit<Source, "reach">, model: string) {
  return sql`embedding.tenant_id = ${tenantId} and ${onShelves("embedding.shelf_id", shelves)}
    and embedding.model = ${model}`;
}

/**
 * `from … where …` of the visible chunks; requires `visiblePlaces`. A chunk is in the place of its document: with
 * filters the documents come first, since looking one up for each chunk took seven times as long.
 */
function visibleChunks(source: Omit<Source, "reach">, model: string): RawBuilder<unknown> {
  const { tenantId, shelves, filters } = source;
  if (!hasDocumentFilters(filters)) {
    // guard: nearest-of-visible
    return sql`
      from place join app.file_embedding as embedding on embedding.place_id = place.id
      where ${isOf(source, model)}`;
  }
  return sql`
    from (
      select document.shelf_id, document.id from place
      join app.searchable as document on document.tenant_id = ${tenantId} and document.place_id = place.id
      where ${onShelves("document.shelf_id", shelves)} and ${passes(tenantId, filters)} offset 0) as passing
    join app.file_embedding as embedding on embedding.shelf_id = passing.shelf_id and embedding.node_id = passing.id
    where ${isOf(source, model)}`;
}

/** Looked up for each visited chunk: a join would lose the order. */
function documentPasses(source: Omit<Source, "reach">) {
  if (!hasDocumentFilters(source.filters)) return sql`true`;
  return sql`(
    select ${passes(source.tenantId, source.filters)} from app.searchable as document where ${isItsDocument(source)}) is true`;
}

function isItsDocument({ tenantId, shelves }: Omit<Source, "reach">) {
  return sql`document.tenant_id = ${tenantId} and ${onShelves("document.shelf_id", shelves)}
    and document.shelf_id = embedding.shelf_id and document.id = embedding.node_id`;
}

/** A walk returns chunks only almost in order; and files with equal distance always come in the same order. */
function nearestOfEach(chunks: readonly NearFile[], files: number): NearFile[] {
  const nearest = new Map<string, NearFile>();
  const inOrder = (left: NearFile, right: NearFile) =>
    left.distance - right.distance || (left.id < right.id ? -1 : 1);
  for (const chunk of chunks.toSorted(inOrder)) {
    if (!nearest.has(chunk.id)) nearest.set(chunk.id, chunk);
  }
  return [...nearest.values()].slice(0, files);
}
