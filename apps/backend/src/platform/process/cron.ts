import { Cron } from "croner";
import { z } from "zod";

export const notCron = "must be a schedule such as `0 3 * * 0`: minute, hour, day, month, day of the week";

/** Five fields, as in crontab; always in UTC, so that no run is lost or doubled when clocks change. */
export const CronExpression = z.string().max(100).refine(isCron, { error: notCron });

export function isCron(expression: string): boolean {
  try {
    return new Cron(expression, { mode: "5-part", timezone: "UTC", paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
}

export function nextRun(cron: string, after: Date): Date {
  const next = new Cron(cron, { mode: "5-part", timezone: "UTC", paused: true }).nextRun(after);
  if (!next) throw new Error(`${cron} never comes`);
  return next;
}
