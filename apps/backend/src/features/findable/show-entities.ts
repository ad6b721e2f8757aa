import type { EntityType } from "@svc/search/index/documents";
import type { ExcerptRequest } from "@svc/search/snippets/excerpts";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { ShownEntity } from "../../platform/search/search-source.ts";

/** Those that the caller may see, by id, each read through the feature that owns it. */
export async function showEntities(
  context: CommandContext,
  documents: readonly { id: string; entityType: EntityType }[],
  excerpt: ExcerptRequest | undefined,
): Promise<ReadonlyMap<string, ShownEntity>> {
  const sources = Map.groupBy(documents, ({ entityType }) => context.search.sources.of(entityType));
  const entities = new Map<string, ShownEntity>();
  for (const [source, some] of sources) {
    const ids = some.map(({ id }) => id);
    for (const entity of await source.show(context, ids, excerpt)) entities.set(entity.id, entity);
  }
  return entities;
}
