import type { UndoneOperation } from "@svc/command-router/command";
import { z } from "zod";

/** Names the change that made a state: absent if that was the operation itself, null if it is older than these ids. */
export const changeIdOfState = { changeId: z.string().nullable().optional() };

/** Set by an undo, so that the row is again as that change left it. */
export interface LeftBy {
  changeId?: string | null | undefined;
}

/**
 * For undo: the change that a row must name to be as the operation left it. Versions and values recur; this comes back
 * only with the state itself, because undo restores it.
 */
export function leftBy({ changeId }: LeftBy, operation: UndoneOperation): string | null {
  return changeId === undefined ? operation.changeId : changeId;
}
