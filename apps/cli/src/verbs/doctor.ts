import { parseArgs } from "node:util";
import { exitCode } from "@svc/protocol/exit-code";
import type { Run } from "@svc/protocol/styles";
import { paint } from "@svc/rendering/paint";
import { safeJson } from "@svc/rendering/safe-json";
import { plainText } from "@svc/rendering/styled-text";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { wrapText } from "@svc/rendering/wrap-text";
import { build } from "../build.ts";
import { Examination } from "../doctor/examination.ts";
import { agent, config, environment, updates } from "../doctor/machine-steps.ts";
import { dns, proxy, tcp, tls } from "../doctor/network-steps.ts";
import { api, clock, credential, provider, workspace } from "../doctor/service-steps.ts";
import { type Finding, fail, type Step } from "../doctor/step.ts";
import { localOptions } from "../local-options.ts";
import type { LocalVerb } from "../local-verb.ts";
import type { Terminal } from "../terminal.ts";

const help = `svc doctor [--format json]

Checks each step between this machine and the service, in order, and says what to do about problems.
Exits with ${exitCode.failedCheck} if a step failed.`;

const steps: readonly Step<Examination>[] = [
  config,
  environment,
  dns,
  proxy,
  tcp,
  tls,
  api,
  clock,
  credential,
  workspace,
  provider,
  agent,
  updates,
];

const marks = { pass: "ok  ", warn: "warn", fail: "FAIL", skip: "-   " } as const;
const styles = { pass: "good", warn: "warn", fail: "bad", skip: "" } as const;
/** Where what was seen begins; it wraps there. */
const indent = 26;

export const doctor: LocalVerb = {
  help,
  async run(invocation, progress) {
    const { values } = localOptions(() =>
      parseArgs({ args: [...invocation.typed], options: { format: { type: "string" } } }),
    );
    const { terminal, signal } = invocation;
    const isForPeople = values.format !== "json";
    const examination = await Examination.begin(invocation);
    const findings: (Finding & { id: string })[] = [];
    if (isForPeople) await terminal.out(`svc ${build.version} on ${process.platform}-${process.arch}\n\n`);
    for (const step of steps) {
      progress.say(`Looking at ${step.id} …`);
      const finding = await lookAt(step, examination);
      signal.throwIfAborted();
      findings.push({ id: step.id, ...finding });
      await progress.clear();
      if (isForPeople) await terminal.out(toLines(step.id, finding, terminal));
    }
    const failed = findings.filter(({ status }) => status === "fail");
    if (isForPeople) await terminal.out(`\n${summary(failed)}\n`);
    else
      await terminal.out(
        `${safeJson({ version: build.version, ok: failed.length === 0, steps: findings })}\n`,
      );
    return failed.length === 0 ? exitCode.done : exitCode.failedCheck;
  },
};

async function lookAt(step: Step<Examination>, examination: Examination): Promise<Finding> {
  try {
    return await step.look(examination);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), "Report this: it is a bug in svc.");
  }
}

function toLines(id: string, { status, seen, remedy }: Finding, terminal: Terminal): string {
  const room = Math.max(20, (terminal.columns ?? Number.POSITIVE_INFINITY) - indent);
  const said = [seen, ...(remedy === undefined ? [] : [`→ ${remedy}`])].map(toTerminalLine).join("\n");
  const below = plainText(wrapText(said, room)).replaceAll("\n", `\n${" ".repeat(indent)}`);
  const mark: Run = [styles[status], marks[status]];
  return paint(["  ", mark, `  ${id.padEnd(18)}${below}\n`], terminal.colours.out);
}

function summary(failed: readonly { id: string }[]): string {
  if (failed.length === 0) return "Everything is in order.";
  return `Fix this first: ${failed[0]?.id}.`;
}
