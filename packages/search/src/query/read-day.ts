/** What a day in a query is relative to. */
export interface QueryClock {
  now: Date;
  /** An IANA name. */
  timeZone: string;
}

const dayMillis = 86_400_000;

/**
 * Where a day, month or year begins in the zone: `2026-03-26`, `2026-03`, `2026`, `today`, `yesterday`; or a time so long
 * ago: `7d`, `2w`, `3m`, `1y`. Undefined for anything else.
 */
export function readDay(text: string, { now, timeZone }: QueryClock): Date | undefined {
  const typed = text.toLowerCase();
  if (typed === "today") return startOfDay(partsIn(now, timeZone), timeZone);
  if (typed === "yesterday") {
    const { year, month, day } = partsIn(now, timeZone);
    return startOfDay({ year, month, day: day - 1 }, timeZone);
  }
  const ago = /^(\d{1,4})([dwmy])$/u.exec(typed);
  if (ago) return timeAgo(Number(ago[1]), ago[2] ?? "d", { now, timeZone });
  const [, year, month, day] = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/u.exec(typed) ?? [];
  if (year === undefined || Number(year) < 1) return undefined;
  const named = { year: Number(year), month: Number(month ?? 1), day: Number(day ?? 1) };
  return exists(named) ? startOfDay(named, timeZone) : undefined;
}

interface YearStart {
  year: number;
  from: Date;
}

/** Sixty years take some milliseconds, and are the same for a year. */
let lastStarts: { of: string; starts: YearStart[] } | undefined;

/** Where years begin in the zone, the first one first, up to the next. */
export function yearStarts(first: number, { now, timeZone }: QueryClock): readonly YearStart[] {
  const { year: current } = partsIn(now, timeZone);
  const of = `${timeZone} from ${first} to ${current}`;
  if (lastStarts?.of === of) return lastStarts.starts;
  const starts = Array.from({ length: current + 2 - first }, (_, index) => {
    const year = first + index;
    return { year, from: startOfDay({ year, month: 1, day: 1 }, timeZone) };
  });
  lastStarts = { of, starts };
  return starts;
}

interface Day {
  year: number;
  month: number;
  day: number;
}

function timeAgo(count: number, unit: string, { now, timeZone }: QueryClock): Date | undefined {
  if (unit === "d" || unit === "w")
    return new Date(now.getTime() - count * (unit === "w" ? 7 : 1) * dayMillis);
  const { year, month, day } = partsIn(now, timeZone);
  const months = year * 12 + month - 1 - count * (unit === "y" ? 12 : 1);
  const [thatYear, thatMonth] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1];
  if (thatYear < 1) return undefined;
  const last = new Date(utcOf({ year: thatYear, month: thatMonth + 1, day: 0 })).getUTCDate();
  return startOfDay({ year: thatYear, month: thatMonth, day: Math.min(day, last) }, timeZone);
}

function exists(day: Day): boolean {
  const made = new Date(utcOf(day));
  return made.getUTCMonth() === day.month - 1 && made.getUTCDate() === day.day;
}

/** `Date.UTC` takes the years up to 99 as those of the last century. */
function utcOf({ year, month, day }: Day): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** The offset may differ at midnight itself, where clocks change: so twice. A day may have no midnight. */
function startOfDay(day: Day, timeZone: string): Date {
  const midnight = utcOf(day);
  const first = new Date(midnight - offsetAt(new Date(midnight), timeZone));
  const second = new Date(midnight - offsetAt(first, timeZone));
  return utcOf(partsIn(second, timeZone)) === midnight ? second : first;
}

function offsetAt(time: Date, timeZone: string): number {
  const { year, month, day, hour, minute, second } = partsIn(time, timeZone);
  const local = utcOf({ year, month, day }) + ((hour * 60 + minute) * 60 + second) * 1_000;
  return local - Math.floor(time.getTime() / 1_000) * 1_000;
}

function partsIn(time: Date, timeZone: string): Day & { hour: number; minute: number; second: number } {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  return {
    ...{ year: part("year"), month: part("month"), day: part("day") },
    ...{ hour: part("hour"), minute: part("minute"), second: part("second") },
  };
}

let last: { timeZone: string; format: Intl.DateTimeFormat } | undefined;

/** One takes a tenth of a millisecond to make; most callers are in the same zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  if (last?.timeZone === timeZone) return last.format;
  const numeric = "numeric";
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, calendar: "gregory", hourCycle: "h23" },
    ...{ year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric },
  });
  last = { timeZone, format };
  return format;
}
