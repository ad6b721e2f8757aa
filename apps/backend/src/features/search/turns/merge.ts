import { mergeShelf, nextShelfToMerge } from "@svc/search/index/merge-shelf";
import { nobody } from "../../../platform/identity/nobody.ts";
import { defineTurns } from "../../../platform/jobs/define-turns.ts";

/** Merges what was written to the index, shelf by shelf, so that neither searches nor writers wait for it. */
export default defineTurns({
  lanes: 1,
  idleMillis: 1_000,
  async claim({ database }) {
    const shelf = await nextShelfToMerge(database);
    if (shelf === undefined) return undefined;
    // A shelf has many tenants.
    return { tenantId: nobody, take: () => mergeShelf(database, shelf) };
  },
});
