import { utcMinute } from "../../../platform/process/utc-minute.ts";
import type { WaitingFile } from "../../embeddings/embeddings.ts";
import type { Obstacle } from "./obstacle.ts";

/** Why a file is still waiting to be embedded. */
export function whyWaiting(file: WaitingFile): Obstacle {
  const { attempts, failure, notBefore, lacksBudget, isParked, isInRun } = file;
  const since = `it has been waiting to be embedded since ${utcMinute(file.since)}`;
  const often = attempts === 0 ? "" : attempts === 1 ? " once" : ` ${attempts} times`;
  if (isParked) {
    return {
      reason: `embedding it failed${often}, so it was parked: ${failure ?? "unknown reason"}`,
      remedy: "Ask an administrator to run `svc embeddings retry`; new content is retried automatically.",
    };
  }
  if (lacksBudget) {
    return {
      reason: `${since}, and the budget is used up; ${nextTime(file)}`,
      remedy: "Ask an administrator to raise it with `svc budget set`, then run `svc embeddings run`.",
    };
  }
  // A failed file that can be tried at any time was queued again by somebody, or has new content.
  if (failure !== null && notBefore !== null) {
    return {
      reason: `${since}; embedding it failed${often} (${failure}), and ${nextTime(file)}`,
      remedy: "Try again after that; `svc embeddings parked` lists files that keep failing.",
    };
  }
  return {
    reason: `${since}, and ${nextTime(file)}`,
    remedy: isInRun
      ? "Try again later; `svc embeddings status` shows how many files are waiting."
      : "Ask an administrator to run `svc embeddings run`.",
  };
}

function nextTime({ isInRun, lacksBudget, notBefore, nextRunAt }: WaitingFile): string {
  if (isInRun && !lacksBudget)
    return notBefore === null ? "a run is in progress" : `it will be retried at ${utcMinute(notBefore)}`;
  return nextRunAt === null ? "no run is scheduled yet" : `the next run starts at ${utcMinute(nextRunAt)}`;
}
