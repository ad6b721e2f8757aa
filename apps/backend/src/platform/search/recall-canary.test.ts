import { expect, test } from "vitest";
import { Metrics } from "../process/metrics.ts";
import { RecallCanary } from "./recall-canary.ts";

test("reports how many of the nearest were found, for the given share of searches", async () => {
  const metrics = new Metrics();
  const canary = new RecallCanary(metrics, 1);
  expect(canary.isDue()).toBe(true);
  expect(new RecallCanary(metrics, 0).isDue()).toBe(false);
  canary.observe(["a", "b", "x"], ["a", "b", "c", "d"]);
  canary.observe([], []);
  const text = await metrics.registry.getSingleMetricAsString("svc_search_vector_recall");
  expect(text).toContain("svc_search_vector_recall_sum 0.5");
  expect(text).toContain("svc_search_vector_recall_count 1");
});
