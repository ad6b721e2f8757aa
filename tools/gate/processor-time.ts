import { readdirSync, readFileSync } from "node:fs";
import { postmasterPid } from "../local-server/postgres-cluster.ts";

const ticksPerSecond = 100;

interface ProcessTimes {
  parent: number;
  /** Its own and that of the children that it waited for, in seconds. */
  seconds: number;
}

/** Processor time of this process and of those that it waited for. */
export function ownSeconds(): number {
  return timesOf("self")?.seconds ?? 0;
}

/** Processor time of the local servers, for development and for tests, since their start; 0 if there are none. */
export function postgresSeconds(): number {
  const postmasters = [postmasterPid("development"), postmasterPid("tests")].filter(
    (pid) => pid !== undefined,
  );
  if (postmasters.length === 0) return 0;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), times: timesOf(pid) }))
    .filter(({ pid, times }) => times && (postmasters.includes(pid) || postmasters.includes(times.parent)))
    .reduce((sum, { times }) => sum + (times?.seconds ?? 0), 0);
}

/** Undefined for a process that has ended, and on systems without /proc. */
function timesOf(pid: string): ProcessTimes | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name of the program, which may contain spaces, ends with the last parenthesis.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [, parent = 0] = fields;
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
  return { parent, seconds: ticks / ticksPerSecond };
}
