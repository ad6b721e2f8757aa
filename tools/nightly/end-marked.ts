import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Processes of a night have its id in this variable, however far they are from the program that started them. */
export const nightMark = "NIGHTLY_RUN";

/**
 * Kills every process of a night. Killing the children of a child is not enough: tests start servers that leave their
 * group, and after a kill of the nightly run itself nobody knows its children.
 */
export function endMarked(id: string): void {
  if (!existsSync("/proc")) return;
  // A process may start another one while this looks for it.
  while (markedProcesses(id).filter(kill).length > 0);
}

function markedProcesses(id: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid !== process.pid && isMarked(pid, id));
}

function isMarked(pid: number, id: string): boolean {
  if (!Number.isInteger(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${nightMark}=${id}`);
  } catch {
    // It has ended, or belongs to somebody else.
    return false;
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
