import type { TenantTransaction } from "@svc/database/database";
import type { AnalysedDocument } from "@svc/search/analyser/analyse-document";
import { analyseDocuments } from "@svc/search/analyser/analyse-documents";
import { inGroups } from "@svc/search/analyser/in-groups";
import {
  lockDocuments,
  removeDocuments,
  type SearchDocument,
  writeAnalysed,
} from "@svc/search/index/documents";
import type { SearchSource } from "../search/search-source.ts";
import { CommandBatch } from "./command-batch.ts";
import type { CommandContext } from "./command-context.ts";
import { relieveIndexLater } from "./relieve-index.ts";

/** The only way into the index, for changes and for reindexing. */
export async function indexDocuments(
  transaction: TenantTransaction,
  source: SearchSource,
  ids: readonly string[],
): Promise<void> {
  await write(transaction, await read(transaction, source, ids));
}

const changed = new CommandBatch();

/**
 * For listeners: indexes many at once, at the end of the command. An import of 50,000 records would otherwise take
 * minutes.
 */
export function indexLater(context: CommandContext, source: SearchSource, ids: readonly string[]): void {
  changed.add(context, source.entityTypes.join(), ids, async (all) => {
    const { transaction } = context;
    let waiting: Analysing | undefined;
    for await (const some of groupsOf(transaction, source, all)) {
      if (all.length > 1) await lockDocuments(transaction, some);
      const next = await read(transaction, source, some);
      // Other threads analyse the next ones meanwhile.
      if (waiting) await write(transaction, waiting);
      waiting = next;
    }
    if (waiting) await write(transaction, waiting);
    relieveIndexLater(context);
  });
}

/** Of texts in memory at the same time, twice: one group is written, the next one analysed. */
const mostBytes = 1_000_000;

async function* groupsOf(
  transaction: TenantTransaction,
  source: SearchSource,
  ids: readonly string[],
): AsyncGenerator<readonly string[]> {
  for (let start = 0; start < ids.length; start += source.atOnce) {
    const some = ids.slice(start, start + source.atOnce);
    const bytes = some.length > 1 ? await source.bytes?.(transaction, some) : undefined;
    if (bytes) yield* inGroups(some, (id) => bytes.get(id) ?? 0, mostBytes);
    else yield some;
  }
}

interface Analysing {
  ids: readonly string[];
  documents: SearchDocument[];
  analysed: Promise<AnalysedDocument[]>;
}

async function read(
  transaction: TenantTransaction,
  source: SearchSource,
  ids: readonly string[],
): Promise<Analysing> {
  const documents = await source.documents(transaction, ids);
  const analysed = analyseDocuments(documents);
  // Whoever writes them sees it.
  analysed.catch(() => {});
  return { ids, documents, analysed };
}

async function write(transaction: TenantTransaction, { ids, documents, analysed }: Analysing): Promise<void> {
  const there = new Set(documents.map(({ id }) => id));
  await writeAnalysed(transaction, documents, await analysed);
  await removeDocuments(
    transaction,
    ids.filter((id) => !there.has(id)),
  );
}
