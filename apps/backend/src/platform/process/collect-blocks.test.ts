import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { waitUntil } from "@svc/testing/wait-until";
import { expect, onTestFinished, test } from "vitest";
import { countBlock } from "./collect-blocks.ts";

type GarbageEntry = PerformanceEntry & { detail: { kind: number } };

const mebibyte = 1024 ** 2;
const blockBytes = 64 * 1_024;

function pass(mebibytes: number, onBlock: (bytes: number) => void): void {
  for (let passed = 0; passed < mebibytes * mebibyte; passed += blockBytes) {
    Buffer.allocUnsafeSlow(blockBytes);
    onBlock(blockBytes);
  }
}

test("while blocks pass, young objects are looked at once for every 2 MB", async () => {
  const looks: unknown[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) looks.push((entry as GarbageEntry).detail.kind);
  });
  onTestFinished(() => observer.disconnect());
  observer.observe({ entryTypes: ["gc"] });
  pass(64, countBlock);
  const young = () => looks.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MINOR).length;
  await waitUntil(() => expect(young()).toBeGreaterThanOrEqual(31));
  // Far less often than once for each block.
  expect(young()).toBeLessThan(200);
});

test("blocks are freed while others pass", { tags: ["nightly"] }, () => {
  /** The most that is outside the heap, in MiB. */
  const held = (onBlock: (bytes: number) => void) => {
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    pass(256, (bytes) => {
      onBlock(bytes);
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    });
    return most / mebibyte;
  };
  const freed = held(countBlock);
  // Without it they are freed late: if that changes, this module can go.
  expect(held(() => {})).toBeGreaterThan(2 * freed);
});
