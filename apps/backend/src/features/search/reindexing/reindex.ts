import { setTimeout as sleep } from "node:timers/promises";
import type { TenantTransaction } from "@svc/database/database";
import { holdDocuments, listDocuments } from "@svc/search/index/documents";
import { holdPlaces } from "@svc/search/index/places";
import { indexDocuments } from "../../../platform/commands/index-documents.ts";
import { nobody } from "../../../platform/identity/nobody.ts";
import type { JobContext } from "../../../platform/jobs/define-job.ts";
import type { SearchScope, SearchSource, SearchSources } from "../../../platform/search/search-source.ts";
import { listWorkspaceIds } from "../../workspaces/workspaces.ts";
import { type Claim, lockClaimed, type Reindex, releaseClaim, saveReindex } from "./reindex-store.ts";

/**
 * Documents per batch. A writer of one of them waits for the batch, so its size adapts to the time that documents take:
 * a few texts of megabytes take as long as thousands of notes.
 */
const batch = { first: 25, most: 200, quickMillis: 250, slowMillis: 1_000 };
/** Then it is another tenant's turn. */
const turnMillis = 10_000;
/** A single document that fails this often is skipped and reported. */
const attempts = 3;

type Parts = Pick<JobContext, "database" | "search" | "settings" | "log" | "signal">;

/**
 * Continues a reindex where it stopped, batch by batch: each batch is a transaction that locks its documents, reads
 * them, writes them like every other writer, and records the progress. A kill leaves nothing half done, and a search
 * finds either the old or the new document.
 */
export async function takeTurn(parts: Parts, claim: Claim): Promise<void> {
  const { database, settings, signal, log } = parts;
  const scope = { tenantId: claim.tenantId, actorId: nobody };
  const end = performance.now() + turnMillis;
  let size = batch.first;
  let failures = 0;
  while (performance.now() < end && !signal?.aborted) {
    const started = performance.now();
    try {
      const isOver = await goOn(parts, claim, { size, skip: failures >= attempts });
      if (isOver) return;
      failures = 0;
    } catch (error) {
      // Somebody else holds what it needs, and goes first.
      if ((error as { code?: unknown }).code === lockTimeout) break;
      log.warn({ err: error, reindex: claim.id, size }, "a reindex batch failed");
      if (failures >= attempts) throw error;
      if (size === 1) failures += 1;
      size = 1;
      continue;
    }
    const took = performance.now() - started;
    if (took < batch.quickMillis) size = Math.min(batch.most, size * 2);
    if (took > batch.slowMillis) size = Math.max(1, Math.floor(size / 2));
    await sleep(took * settings.reindexPause, undefined, signal ? { signal } : {}).catch(() => {});
  }
  await database.withTenant(scope, "write", (transaction) => releaseClaim(transaction, claim));
}

/** PostgreSQL's code. */
const lockTimeout = "55P03";

interface Step {
  size: number;
  /** Skip the next document: it failed too often. */
  skip: boolean;
}

/** Whether there is nothing more to do: it has ended, or another worker continues it. */
async function goOn({ database, search }: Parts, claim: Claim, step: Step): Promise<boolean> {
  const scope = { tenantId: claim.tenantId, actorId: nobody };
  return database.withTenant(scope, "write", async (transaction) => {
    const reindex = await lockClaimed(transaction, claim);
    if (!reindex) return true;
    const after =
      reindex.source === null || reindex.source === secondRound
        ? await placeNext(transaction, search.sources, reindex, step)
        : await indexNext(transaction, search.sources, reindex, step);
    await saveReindex(transaction, after);
    return after.state !== "running";
  });
}

/** Sorts before the names of sources. */
const secondRound = "";

/**
 * Writes the places of the next workspace twice: existing places can be locked against concurrent writers, and missing
 * ones exist in the second round.
 */
async function placeNext(
  transaction: TenantTransaction,
  sources: SearchSources,
  reindex: Reindex,
  { skip }: Step,
): Promise<Reindex> {
  const [workspaceId] = await workspacesAfter(transaction, reindex);
  if (workspaceId === undefined) return nextSource(sources, reindex);
  if (!skip) {
    if (reindex.source === secondRound) await holdPlaces(transaction, workspaceId);
    for (const source of sources.all) await source.placeAll?.(transaction, workspaceId);
  }
  return { ...reindex, lastId: workspaceId, ...(skip ? leftOut(reindex, `workspace ${workspaceId}`) : {}) };
}

async function workspacesAfter(
  transaction: TenantTransaction,
  { workspaceId, lastId }: Reindex,
): Promise<string[]> {
  if (workspaceId !== null) return lastId === null ? [workspaceId] : [];
  return listWorkspaceIds(transaction, { ...(lastId === null ? {} : { after: lastId }), limit: 1 });
}

/** Compares the source with the index by id, so that stale documents are found and removed on the way. */
async function indexNext(
  transaction: TenantTransaction,
  sources: SearchSources,
  reindex: Reindex,
  { size, skip }: Step,
): Promise<Reindex> {
  const source = sources.all.find((some) => nameOf(some) === reindex.source);
  if (!source) return nextSource(sources, reindex);
  const range = {
    ...scopeOf(reindex),
    ...(reindex.lastId === null ? {} : { after: reindex.lastId }),
    limit: size,
  };
  const listed = await source.list(transaction, range);
  const indexed = await listDocuments(transaction, { ...range, entityTypes: source.entityTypes });
  const all = new Map([...indexed, ...listed].map((document) => [document.id, document]));
  const documents = [...all.values()].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, size);
  const last = documents.at(-1);
  if (!last) return nextSource(sources, reindex);
  if (!skip) {
    await holdDocuments(transaction, documents);
    await indexDocuments(
      transaction,
      source,
      documents.map(({ id }) => id),
    );
  }
  const there = new Set(listed.map(({ id }) => id));
  const done = reindex.done + documents.filter(({ id }) => there.has(id)).length;
  const after = {
    ...reindex,
    lastId: last.id,
    done,
    // Some may have been added since they were counted.
    total: Math.max(done, reindex.total),
    ...(skip ? leftOut(reindex, `${last.entityType.toLowerCase()} ${last.id}`) : {}),
  };
  // Later documents are indexed by their writers: waiting for them, this would never end while somebody adds more.
  const wasLast = Math.max(listed.length, indexed.length) < size && all.size <= size;
  return wasLast ? nextSource(sources, after) : after;
}

function leftOut({ skipped }: Reindex, what: string): Pick<Reindex, "skipped" | "failure"> {
  return {
    skipped: skipped + 1,
    failure: `${skipped + 1} documents could not be indexed, the last one ${what}`,
  };
}

/** In the order of their names, so that a new source in a new release does not restart it. */
function nextSource(sources: SearchSources, reindex: Reindex): Reindex {
  const next = [secondRound, ...sources.all.map(nameOf)]
    .sort()
    .find((name) => reindex.source === null || name > reindex.source);
  if (next !== undefined) return { ...reindex, source: next, lastId: null };
  if (reindex.skipped > 0) return { ...reindex, state: "failed" };
  return { ...reindex, state: "done", total: reindex.done };
}

function nameOf({ entityTypes }: SearchSource): string {
  return entityTypes[0] ?? "";
}

function scopeOf({ workspaceId, folderId }: Reindex): SearchScope {
  return { ...(workspaceId === null ? {} : { workspaceId }), ...(folderId === null ? {} : { folderId }) };
}
