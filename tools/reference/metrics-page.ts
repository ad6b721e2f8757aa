import { Metrics } from "../../apps/backend/src/platform/process/metrics.ts";
import { code, prose, table } from "./markdown.ts";

export async function metricsPage(): Promise<string> {
  const all = await describedMetrics();
  const isOurs = ({ name }: { name: string }) => name.startsWith("svc_");
  return [
    "# Metrics",
    "`/metrics` in Prometheus format, on `SVC_METRICS_HOST`: port `SVC_METRICS_PORT` of the API, `SVC_WORKER_METRICS_PORT` of the worker ([configuration](configuration.md)). `svc_queue_…` and `svc_schedule_…` exist on the worker only; every worker reports the same queue.",
    metricTable(all.filter(isOurs)),
    "## The process",
    "Metrics of Node.js and the operating system, from prom-client. Some exist on Linux only.",
    metricTable(all.filter((metric) => !isOurs(metric))),
  ].join("\n\n");
}

interface DescribedMetric {
  name: string;
  type: string;
  help: string;
  labels: readonly string[];
}

async function describedMetrics(): Promise<DescribedMetric[]> {
  const metrics = new Metrics();
  metrics.watchPool(() => ({ total: 0, idle: 0, waiting: 0 }));
  metrics.watchQueue(async () => undefined);
  const described = await metrics.registry.getMetricsAsJSON();
  return described.map(({ name, type, help }) => {
    const { labelNames = [] } = metrics.registry.getSingleMetric(name) as { labelNames?: string[] };
    return { name, type: String(type), help, labels: labelNames };
  });
}

function metricTable(metrics: readonly DescribedMetric[]): string {
  return table(
    ["metric", "type", "labels", "meaning"],
    metrics.map(({ name, type, labels, help }) => [
      code(name),
      type,
      labels.map(code).join(", "),
      prose(help),
    ]),
  );
}
