import type { TenantTransaction } from "@svc/database/database";
import { plannedAnew } from "@svc/database/statement-name";
import { sql } from "kysely";
import { onShelves } from "../index/shelf.ts";
import { countVisibleChunks } from "../vectors/nearest-files.ts";
import { VisibilityCache } from "../visibility/visibility-cache.ts";
import { type Source, visiblePlaces } from "../visibility/visible-documents.ts";

/** How many of the files that a caller may see are embedded. */
export interface Coverage {
  embedded: number;
  waiting: number;
  chunks: number;
}

/** Counted up to this number: a search must not wait for more. */
const mostCounted = 50_000;
/** How long to cache it, in milliseconds: for few files, and for many. */
const remembered = { fewFor: 20_000, manyFor: 600_000 };
const many = 20_000;

/** Cached for a while, like the statistics of words. */
export class CoverageCache {
  readonly #byModel = new Map<string, VisibilityCache<Coverage>>();
  readonly #remembered: typeof remembered;

  constructor(options: Partial<typeof remembered> = {}) {
    this.#remembered = { ...remembered, ...options };
  }

  of(transaction: TenantTransaction, source: Omit<Source, "reach">, model: string): Promise<Coverage> {
    const ofModel = this.#byModel.get(model) ?? new VisibilityCache<Coverage>();
    this.#byModel.set(model, ofModel);
    const { fewFor, manyFor } = this.#remembered;
    return ofModel.of(
      transaction,
      source.visibility,
      () => readCoverage(transaction, source, model),
      ({ chunks }) => (chunks > many ? manyFor : fewFor),
    );
  }
}

async function readCoverage(
  transaction: TenantTransaction,
  source: Omit<Source, "reach">,
  model: string,
): Promise<Coverage> {
  const { db, tenantId } = transaction;
  // guard: coverage-of-visible
  const { rows } = await sql<{ embedded: number; waiting: number }>`
    ${plannedAnew} with ${visiblePlaces(tenantId, source.visibility, source.filters)}
    select (select count(*) from (
        select from app.file_embedding as embedding
        where embedding.tenant_id = ${tenantId} and ${onShelves("embedding.shelf_id", source.shelves)}
          and embedding.model = ${model} and embedding.chunk = 0 and embedding.place_id in (select id from place)
        limit ${mostCounted}) as known) as embedded,
      (select count(*) from (
        select entry.node_id from app.embedding_index_queue_entry as entry
        join app.searchable as document on document.tenant_id = ${tenantId} and document.id = entry.node_id
          and ${onShelves("document.shelf_id", source.shelves)}
        where entry.tenant_id = ${tenantId} and document.place_id in (select id from place)
        limit ${mostCounted}) as entry
        join app.node as node on node.tenant_id = ${tenantId} and node.id = entry.node_id
        where not exists (
          select from app.file_embedding as embedding
          where embedding.tenant_id = ${tenantId} and ${onShelves("embedding.shelf_id", source.shelves)}
            and embedding.node_id = node.id and embedding.model = ${model} and embedding.chunk = 0
            and embedding.content_version = node.content_version)) as waiting`.execute(db);
  const { embedded = 0, waiting = 0 } = rows[0] ?? {};
  return { embedded, waiting, chunks: await countVisibleChunks(transaction, source, model) };
}
