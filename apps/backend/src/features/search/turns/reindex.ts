import { randomUUID } from "node:crypto";
import { defineTurns } from "../../../platform/jobs/define-turns.ts";
import { takeTurn } from "../reindexing/reindex.ts";
import { claimReindex } from "../reindexing/reindex-store.ts";

/** Runs requested reindexes. */
export default defineTurns({
  // The database does most of the work, and people's searches and writes come first.
  lanes: 3,
  async claim(context, served) {
    const claim = await claimReindex(context.database, randomUUID(), served);
    return claim && { tenantId: claim.tenantId, take: () => takeTurn(context, claim) };
  },
});
