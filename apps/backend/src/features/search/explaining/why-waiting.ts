import { utcMinute } from "../../../platform/process/utc-minute.ts";
import type { WaitingFile } from "../../embeddings/embeddings.ts";
import type { Obstacle } from "./obstacle.ts";

/** Why a file that awaits embedding still does. */
export function whyWaiting(file: WaitingFile): Obstacle {
  const { attempts, failure, notBefore, lacksBudget, isParked, isInRun } = file;
  const since = `it waits to be embedded since ${utcMinute(file.since)}`;
  const often = attempts === 0 ? "" : attempts === 1 ? " once" : ` ${attempts} times`;
  if (isParked) {
    return {
      reason: `embedding it failed${often} and was given up: ${failure ?? "nobody knows why"}`,
      remedy:
        "An administrator can have it tried again with `svc embeddings retry`; new content is tried by itself.",
    };
  }
  if (lacksBudget) {
    return {
      reason: `${since}, and the budget is used up; ${nextTime(file)}`,
      remedy:
        "An administrator can raise it with `svc budget set`, and begin a run with `svc embeddings run`.",
    };
  }
  // What failed and may be tried at any time was put back by somebody, or has other content now.
  if (failure !== null && notBefore !== null) {
    return {
      reason: `${since}; embedding it failed${often} (${failure}), and ${nextTime(file)}`,
      remedy: "Search again after that; what fails again and again is listed by `svc embeddings parked`.",
    };
  }
  return {
    reason: `${since}, and ${nextTime(file)}`,
    remedy: isInRun
      ? "Search again in a while; `svc embeddings status` shows how many wait."
      : "An administrator can begin a run now with `svc embeddings run`.",
  };
}

function nextTime({ isInRun, lacksBudget, notBefore, nextRunAt }: WaitingFile): string {
  if (isInRun && !lacksBudget)
    return notBefore === null ? "a run is going on" : `it is tried again at ${utcMinute(notBefore)}`;
  return nextRunAt === null ? "no run is planned yet" : `the next run begins at ${utcMinute(nextRunAt)}`;
}
