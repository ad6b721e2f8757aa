import { choose, type Undoing, type Write } from "./attempt.ts";
import type { Person } from "./model.ts";
import { mayRun } from "./permission.ts";

export function asLeft({ stamp }: { stamp: object }, left: object): boolean {
  return stamp === left;
}

/** What keeps somebody from an undo is said in more ways than one. */
export function undoable(may: (who: Person) => boolean, apply: (who: Person) => unknown): Undoing {
  return {
    refusal: (who) => (may(who) ? undefined : ["conflict", "not_found", "not_permitted"]),
    apply: (who) => {
      apply(who);
      return undefined;
    },
  };
}

export const undoWrites: Record<string, Write> = {
  "operations undo": ({ who, picks, operations }) => {
    // The latest first: what came long before has mostly been changed again.
    const operation = choose(operations.toReversed(), picks[0] % 3);
    if (!operation) return undefined;
    const isHis = operation.actor.name === who.name || who.isAdministrator;
    const refusal = () => {
      if (!isHis) return ["not_found"] as const;
      if (operation.isUndone) return ["conflict"] as const;
      return mayRun(who, operation.command) ?? operation.undoing.refusal(who);
    };
    return {
      words: ["operations", "undo", operation.id],
      recalls: isHis ? operation.knows : [],
      // What others did since may keep it from being undone.
      isUnsettled: operations
        .slice(operations.indexOf(operation) + 1)
        .some(({ actor }) => ![operation.actor.name, who.name].includes(actor.name)),
      refusal: refusal(),
      apply: () => {
        operation.isUndone = true;
        return operation.undoing.apply(who);
      },
    };
  },
};
