import { findShelves } from "@svc/search/index/shelf";
import { nearestFiles } from "@svc/search/vectors/nearest-files";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import { leastSimilarityOf } from "../../platform/search/query-vectors.ts";
import { showEntities, visibilityOf, workspacesByMeaning } from "../findable/findable.ts";

/** Titles by id of the closest visible files by a model, if they are close enough. */
type NearestTo = (asked: {
  model: string;
  vector: string;
  files: number;
}) => Promise<ReadonlyMap<string, string>>;

/** Reads once what the caller may see, for any number of vectors. */
export async function nearestTitles(context: CommandContext): Promise<NearestTo> {
  const { transaction, search } = context;
  const { tenantId } = transaction;
  const visibility = {
    ...(await visibilityOf(context)),
    workspaceIds: await workspacesByMeaning(context, undefined),
    doorIds: [],
  };
  const { all: shelves } = await findShelves(transaction, { hold: false });
  const source = { tenantId, shelves, visibility, filters: { entityTypes: ["FILE" as const] } };
  return async ({ model, vector, files }) => {
    const { chunks: visibleChunks } = await search.coverage.of(transaction, source, model);
    const near = await nearestFiles(transaction, source, { model, vector, files, visibleChunks });
    const least = leastSimilarityOf(search.queryVectors, model);
    const close = near.files
      .filter(({ distance }) => 1 - distance >= least)
      .map(({ id }) => ({ id, entityType: "FILE" as const }));
    const shown = await showEntities(context, close, undefined);
    return new Map(
      close.flatMap(({ id }) => {
        const entity = shown.get(id);
        return entity ? [[id, entity.title]] : [];
      }),
    );
  };
}
