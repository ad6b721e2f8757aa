import { pino } from "pino";
import { expect, test } from "vitest";
import { Metrics } from "../process/metrics.ts";
import { checkConfinement } from "./check-confinement.ts";
import { findConfinement } from "./confinement.ts";

test("a process says at its start, and in a metric, whether its readers are confined", async () => {
  const lines: string[] = [];
  const metrics = new Metrics();
  const log = pino({ level: "info" }, { write: (line: string) => lines.push(line) });
  await checkConfinement({ isRequired: false, metrics, log });

  const { hasLimits, hasNoNetwork } = await findConfinement();
  const text = await metrics.registry.metrics();
  expect(text).toContain(`svc_reader_confined{by="limits"} ${Number(hasLimits)}`);
  expect(text).toContain(`svc_reader_confined{by="network"} ${Number(hasNoNetwork)}`);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(hasNoNetwork ? "document readers are confined" : "readers have a network");
});
