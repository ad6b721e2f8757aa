import { vi } from "vitest";

/** Repeats a check until it no longer throws. A minute: a busy machine takes its time, and a test that passes never waits as long. */
export function waitUntil<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}
