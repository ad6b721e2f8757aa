import { atLeast, atMost } from "../../bench/report.ts";
import type { Evaluation } from "../../evaluate/evaluation.ts";
import { startBearerProxy } from "../conformance/bearer-proxy.ts";
import { type FixtureService, startFixtureService } from "../conformance/fixture-service.ts";
import { inspect } from "../conformance/inspect.ts";
import { neededFeature, notOffered } from "../conformance/not-offered.ts";
import { type Check, runSuite } from "../conformance/run-suite.ts";

/** Both revisions that we speak, as the inspector calls them, and how many scenarios we pass. A new feature raises it. */
const revisions = [
  { revision: "2026-07-28", era: "modern", passedBar: 13 },
  { revision: "2025-11-25", era: "legacy", passedBar: 10 },
] as const;

/**
 * The protocol's own conformance suite and its inspector, against the whole service. `not offered` means that a scenario
 * needs a feature which the service does not announce.
 */
export default {
  summary: "POST /mcp keeps the protocol in everything that it offers",
  async run() {
    await using service = await startFixtureService();
    await using proxy = await startBearerProxy(service);
    const done = [];
    for (const { revision, era, passedBar } of revisions) {
      const checked = [...(await runSuite(proxy.url, revision))];
      const scenarios = checked.map(([scenario, checks]) => judge(scenario, checks));
      done.push({ revision, passedBar, scenarios, inspected: await inspectAs(service, era) });
    }
    const scenarios = done.flatMap((one) => one.scenarios);
    const needless = scenarios.flatMap((one) => one.needless);
    const failedInspections = done.flatMap(({ inspected }) => inspected.failed);
    return {
      tables: [
        ...done.map((one) => ({
          title: `${one.revision}: ${one.scenarios.length} scenarios, ${countOf(one.scenarios, "passed")} passed`,
          rows: one.scenarios.map(({ scenario, checks, result, needs }) => ({
            scenario,
            checks,
            result,
            needs,
          })),
        })),
        {
          title: "The inspector",
          rows: done.map(({ revision, inspected: { passed, failed } }) => ({
            revision,
            passed,
            failed: failed.length,
          })),
        },
      ],
      notes: [
        ["Not offered:", ...notOffered.map(({ feature, why }) => `${feature}: ${why}`)].join("\n  "),
        ...scenarios.flatMap(({ scenario, failures }) =>
          failures.map((failure) => `${scenario}: ${failure}`),
        ),
        ...failedInspections.map((what) => `The inspector fails: ${what}`),
        ...needless.map((name) => `${name} passes although it is listed as not offered`),
      ],
      bars: [
        atMost("scenarios of offered features that fail", countOf(scenarios, "FAILED"), 0),
        ...done.map((one) =>
          atLeast(`scenarios of ${one.revision} passed`, countOf(one.scenarios, "passed"), one.passedBar),
        ),
        atMost("checks left out without need", needless.length, 0),
        atMost("inspections that fail", failedInspections.length, 0),
      ],
    };
  },
} satisfies Evaluation;

type Judged = ReturnType<typeof judge>;

function countOf(scenarios: readonly Judged[], result: Judged["result"]): number {
  return scenarios.filter((one) => one.result === result).length;
}

function judge(scenario: string, checks: readonly Check[]) {
  const missing = neededFeature.get(scenario);
  const isLeftOut = ({ id }: Check) => neededFeature.has(`${scenario}:${id}`);
  const leftOut = checks.filter(isLeftOut);
  const judged = missing === undefined ? checks.filter((check) => !isLeftOut(check)) : [];
  const failures = judged.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const passed = judged.filter(({ status }) => status === "SUCCESS");
  const without = new Set(leftOut.map(({ id }) => neededFeature.get(`${scenario}:${id}`)));
  return {
    scenario,
    checks: passed.length,
    result: resultOf(),
    needs: missing ?? [...without].map((feature) => `${leftOut.length} left out: ${feature}`).join(),
    failures: failures.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
    needless: leftOut.filter(({ status }) => status === "SUCCESS").map(({ id }) => `${scenario}:${id}`),
  };

  function resultOf(): "passed" | "FAILED" | "not offered" {
    if (failures.length > 0) return "FAILED";
    if (passed.length > 0) return "passed";
    return missing === undefined && leftOut.length === 0 ? "FAILED" : "not offered";
  }
}

async function inspectAs(service: FixtureService, era: "modern" | "legacy") {
  const results = new Map<string, boolean>();
  const call = ["--method", "tools/call", "--tool-name"];

  const tools = await inspect(service, era, "--method", "tools/list", "--strict");
  const names = ((tools.answer?.tools ?? []) as { name: string }[]).map(({ name }) => name);
  results.set("tools without portability errors", tools.exitCode === 0 && names.includes("files_cat"));

  const listed = await inspect(service, era, ...call, "files_list", "--tool-arg", "workspace=desk");
  const { items = [] } = Object(listed.answer?.structuredContent) as { items?: unknown[] };
  results.set("a call", listed.exitCode === 0 && items.length === Object.keys(service.resources).length);

  const refused = await inspect(service, era, ...call, "files_cat", "--tool-arg", "target=desk:/no.txt");
  const { code } = Object(refused.answer?.structuredContent) as { code?: string };
  results.set("a refused call", refused.exitCode === 5 && code === "not_found");

  const file = `svc://${service.resources["test://static-text"]}`;
  const read = await inspect(service, era, "--method", "resources/read", "--uri", file);
  const [contents] = (read.answer?.contents ?? []) as { text?: string }[];
  results.set("a resource", contents?.text?.startsWith("This is the content") === true);

  const failed = [...results].flatMap(([what, ok]) => (ok ? [] : [`${what}, ${era}`]));
  return { passed: results.size - failed.length, failed };
}
