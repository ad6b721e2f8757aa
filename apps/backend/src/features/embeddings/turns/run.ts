import { defineTurns } from "../../../platform/jobs/define-turns.ts";
import { takeTurn } from "../embed-files.ts";
import { claimTurn } from "../run-store.ts";

/** Embeds waiting files of tenants with a run in progress, a group of files per turn. */
export default defineTurns({
  // Most of a turn is waiting for the model.
  lanes: 6,
  async claim(context, served) {
    const tenantId = await claimTurn(context.database, served);
    if (tenantId === undefined) return undefined;
    const clock = await context.database.clock();
    return { tenantId, take: () => takeTurn({ ...context, clock }, tenantId) };
  },
});
