import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "../dice.ts";

/** Time between two faults or two callers that a process cannot predict, and a seed repeats. */
export function drawnPause(dice: Dice, mostMillis: number): Promise<void> {
  return sleep(dice.throw() * mostMillis);
}
