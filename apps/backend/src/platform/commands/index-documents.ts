import type { TenantTransaction } from "@svc/database/database";
import { lockDocuments, removeDocuments, writeDocuments } from "@svc/search/index/documents";
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
  const documents = await source.documents(transaction, ids);
  const there = new Set(documents.map(({ id }) => id));
  await writeDocuments(transaction, documents);
  await removeDocuments(
    transaction,
    ids.filter((id) => !there.has(id)),
  );
}

const changed = new CommandBatch();

/**
 * For listeners: indexes many at once, at the end of the command. An import of 50,000 records would otherwise take
 * minutes.
 */
export function indexLater(context: CommandContext, source: SearchSource, ids: readonly string[]): void {
  changed.add(context, source.entityTypes.join(), ids, async (all) => {
    for (let start = 0; start < all.length; start += source.atOnce) {
      const some = all.slice(start, start + source.atOnce);
      if (all.length > 1) await lockDocuments(context.transaction, some);
      await indexDocuments(context.transaction, source, some);
    }
    relieveIndexLater(context);
  });
}
