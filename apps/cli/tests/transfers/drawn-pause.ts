import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "../../../backend/testing/dice.ts";

/** How long work takes, in milliseconds: what happens in the middle of it is drawn from that. */
export async function millisOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** More often short: what the tries before have brought makes the rest of the line short. */
export function drawnPause(dice: Dice, usualMillis: number): Promise<void> {
  return sleep(dice.throw() ** 2 * usualMillis);
}
