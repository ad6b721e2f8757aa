import { expect, test } from "vitest";
import { countBlock } from "./collect-blocks.ts";

const mebibyte = 1024 ** 2;
const blockBytes = 64 * 1_024;

/** The most that is outside the heap while 256 MB pass, in MiB. */
function held(onBlock: (bytes: number) => void): number {
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let passed = 0; passed < 256 * mebibyte; passed += blockBytes) {
    Buffer.allocUnsafeSlow(blockBytes);
    onBlock(blockBytes);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  return most / mebibyte;
}

test("blocks are freed while others pass", () => {
  expect(held(countBlock)).toBeLessThan(8);
  // Without it they are freed late: if that changes, this module can go.
  expect(held(() => {})).toBeGreaterThan(16);
});
