import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newMetronome, Stopwatch } from "./stopwatch.ts";

test("counts waiting, until it is stopped", async () => {
  const watch = new Stopwatch();
  await sleep(1_000);
  const millis = watch.stop();
  expect(millis).toBeGreaterThan(0);
  await sleep(50);
  expect(watch.stop()).toBe(millis);
});

test("leaves out what others had of the machine", async () => {
  const metronome = newMetronome();
  const watch = new Stopwatch(metronome);
  const begun = performance.now();
  await sleep(500);
  // Ten beats of 20 ms took 400 ms: the others had 200 ms.
  metronome.fastest.fill(20_000_000n);
  metronome.beats.fill(10n);
  metronome.took.fill(400_000_000n);
  metronome.ended.fill(process.hrtime.bigint());
  const millis = watch.stop();
  const elapsed = performance.now() - begun;
  expect(millis).toBeGreaterThanOrEqual(299);
  expect(millis).toBeLessThan(elapsed - 190);
});

test("a beat that does not end counts as theirs, too", async () => {
  const metronome = newMetronome();
  const watch = new Stopwatch(metronome);
  metronome.fastest.fill(20_000_000n);
  await sleep(500);
  expect(watch.stop()).toBeCloseTo(20, 3);
});
