import type { Log } from "../process/log.ts";
import type { Metrics } from "../process/metrics.ts";
import { type Confinement, findConfinement } from "./confinement.ts";

/** The operator wants no readers without it. */
export class NotConfined extends Error {
  override readonly name = "NotConfined";
}

interface CheckParts {
  isRequired: boolean;
  metrics: Pick<Metrics, "reportConfinement">;
  log: Log;
}

/** At the start of a process that reads documents: says how far its readers are confined. */
export async function checkConfinement({ isRequired, metrics, log }: CheckParts): Promise<void> {
  const confinement = await findConfinement();
  metrics.reportConfinement(confinement);
  const problem = problemOf(confinement);
  if (problem === undefined) {
    log.info("document readers are confined: limits on memory and time, and no network");
    return;
  }
  if (isRequired) {
    throw new NotConfined(`${problem} SVC_REQUIRE_CONFINEMENT does not allow that.`);
  }
  log.warn({ err: confinement.refusal }, problem);
}

function problemOf({ hasLimits, hasNoNetwork, refusal }: Confinement): string | undefined {
  const said = String(refusal?.message ?? "")
    .trim()
    .split("\n")
    .at(-1);
  if (!hasLimits) {
    return `No document can be read: prlimit does not start (${said}). Install util-linux.`;
  }
  if (!hasNoNetwork) {
    return `Document readers have a network: the kernel refuses to separate it (${said}). Allow user and network namespaces: see "Document readers" in docs/guides/operate.md.`;
  }
  return undefined;
}
