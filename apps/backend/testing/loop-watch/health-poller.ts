import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** A caller in a separate thread that polls addresses independently of everything else. */
const { addresses } = workerData as { addresses: string[] };
const everyMillis = 20;
const agent = new Agent({ keepAlive: true });
const worst = addresses.map(() => 0);
const begun = addresses.map(() => performance.now());

for (const index of addresses.keys()) void poll(index);
parentPort?.on("message", () => {
  // A pending request counts as well.
  parentPort?.postMessage(worst.map((millis, index) => Math.max(millis, waitingSince(index))));
  worst.fill(0);
});

async function poll(index: number): Promise<never> {
  for (;;) {
    begun[index] = performance.now();
    await ask(addresses[index] ?? "");
    worst[index] = Math.max(worst[index] ?? 0, waitingSince(index));
    begun[index] = Number.NaN;
    await sleep(everyMillis);
  }
}

function waitingSince(index: number): number {
  const since = begun[index] ?? Number.NaN;
  return Number.isNaN(since) ? 0 : performance.now() - since;
}

function ask(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (answer) => {
      answer.resume().once("end", resolve).once("error", reject);
    }).once("error", reject);
  });
}
