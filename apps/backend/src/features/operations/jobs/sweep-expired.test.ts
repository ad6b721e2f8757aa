import { pino } from "pino";
import { expect, test } from "vitest";
import sweepExpired from "./sweep-expired.ts";

test("continues while batches are full", async () => {
  const batches = [1_000, 1_000, 3];
  const sizes: number[] = [];
  await sweepExpired.run({
    sweepExpired: async (batch) => {
      sizes.push(batch);
      return batches.shift() ?? 0;
    },
    staging: {} as never,
    blobCollection: {} as never,
    blobStore: {} as never,
    database: {} as never,
    search: {} as never,
    embedders: {} as never,
    settings: {} as never,
    log: pino({ level: "silent" }),
    now: new Date(),
    machineTime: new Date(),
    signal: undefined,
  });
  expect(sizes).toHaveLength(3);
});
