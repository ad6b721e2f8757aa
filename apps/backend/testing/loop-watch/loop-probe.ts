import { readFileSync } from "node:fs";
import { createServer } from "node:http";

/**
 * Loaded into an API process (`node --import`). It measures the longest time that the event loop computed without a
 * break, as processor time of its thread: waiting for a processor does not count, so a busy machine changes nothing.
 * The answer at the socket is the worst since the last question, and how long the thread waited for a processor.
 */
const everyMillis = 5;

let worst = 0;
let lastComputed = computedMillis();
let lastStarved = starvedMillis();

function computedMillis(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Linux: nanoseconds on a processor, then nanoseconds waiting for one. */
function starvedMillis(): number {
  return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]) / 1e6;
}

function tick(): void {
  const computed = computedMillis();
  worst = Math.max(worst, computed - lastComputed);
  lastComputed = computed;
}

setInterval(tick, everyMillis).unref();

createServer((_, answer) => {
  tick();
  const starved = starvedMillis();
  answer.end(JSON.stringify({ computed: worst, starved: starved - lastStarved }));
  worst = 0;
  lastStarved = starved;
})
  .listen(process.env.SVC_LOOP_PROBE)
  .unref();
