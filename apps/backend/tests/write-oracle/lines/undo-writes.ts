import { type Own, restoreSnapshot, takeSnapshot } from "../ledger.ts";
import type { Model } from "../model.ts";
import { mayRun, needsApproval } from "../permission.ts";
import type { Person } from "../things.ts";
import { choose, type Operation, type Undoing, type Write } from "./attempt.ts";

/** There is more than one code for a refused undo. */
export function undoable(may: (who: Person, own: Own) => boolean, apply: () => unknown): Undoing {
  return {
    refusal: (who, own) => (may(who, own) ? undefined : ["conflict", "not_found", "not_permitted"]),
    apply: () => {
      apply();
    },
  };
}

export const undoWrites: Record<string, Write> = {
  "operations undo": ({ model, who, picks, operations }) => {
    // Newest first: older things have mostly been changed again.
    const operation = choose(operations.toReversed(), picks[0] % 3);
    if (!operation) return undefined;
    const isHis = operation.actor.name === who.name || who.isAdministrator;
    const own = { authors: new Set([who.name, operation.actor.name]), since: operation.at };
    const refusal = () => {
      if (!isHis) return ["not_found"] as const;
      if (operation.isUndone) return ["conflict"] as const;
      if (needsApproval(who, operation.command)) return ["not_permitted"] as const;
      return mayRun(who, operation.command) ?? operation.undoing.refusal(who, own);
    };
    return {
      words: ["operations", "undo", operation.id],
      undoes: operation,
      recalls: isHis ? operation.knows : [],
      ...(isHis && operation.undoing.isUnsettled?.(who, own) ? { isUnsettled: true } : {}),
      refusal: refusal(),
      apply: () => {
        const undone = takeSnapshot(model);
        operation.isUndone = true;
        operation.undoing.apply();
        return redo(model, operation, undone);
      },
    };
  },
};

/** Everything is as before the undo. Checked only if nothing else was done, and by somebody who still can. */
function redo(
  model: Model,
  { actor, at, undoing }: Operation,
  undone: ReturnType<typeof takeSnapshot>,
): Undoing {
  const { now } = model.ledger;
  const mayRedo = undoing.mayRedo ?? (() => true);
  const mayStill = (who: Person) =>
    mayRedo(who) && (who.isAdministrator || (actor.name === who.name && at === now));
  return {
    mayRedo,
    isUnsettled: (who) => model.ledger.now !== now + 1 || !mayStill(who),
    refusal: () => undefined,
    apply: () => restoreSnapshot(undone),
  };
}
