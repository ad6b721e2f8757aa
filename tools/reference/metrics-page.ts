import { Metrics } from "../../apps/backend/src/platform/process/metrics.ts";
import { code, prose, table } from "./markdown.ts";

export async function metricsPage(): Promise<string> {
  const all = await describedMetrics();
  const isOurs = ({ name }: { name: string }) => name.startsWith("svc_");
  return [
    "# Metrics",
    "`/metrics` of the API process, in Prometheus format, on `SVC_METRICS_HOST` and `SVC_METRICS_PORT` ([configuration](configuration.md)). The worker has none yet; it logs.",
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
