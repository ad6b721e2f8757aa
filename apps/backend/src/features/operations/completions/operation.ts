import { defineCompletions } from "../../../platform/completions/completion-sources.ts";
import { operationView } from "../operation-view.ts";
import { listOperations } from "../operations-store.ts";
import { endsOf, ownOperations } from "../own-operations.ts";

/** Each may hold thousands of changes. */
const mostListed = 10;

export default defineCompletions({
  listing: "operations list",
  maxAge: 5,
  async find(context, typed, limit) {
    // Only one's own answer to the end of their id.
    const whose = ownOperations(context);
    const found = await listOperations(context.transaction, {
      ...whose,
      limit: Math.min(limit, mostListed),
    });
    const ends = await endsOf(context, whose, found);
    return found
      .map((operation) => {
        const { id, summary, state } = operationView(operation);
        const meaning = state === "done" ? summary : `${state}: ${summary}`;
        const end = ends.get(operation.id) ?? id;
        return { word: end.startsWith(typed) ? end : id, meaning };
      })
      .filter(({ word }) => word.startsWith(typed));
  },
});
