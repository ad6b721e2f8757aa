import { LRUCache } from "lru-cache";

const dayMillis = 86_400_000;
/** Then the year matters more than the hour. */
const recentDays = 300;

export interface Clock {
  now: Date;
  timeZone: string;
}

/** `today 07:20`, `14 Nov 09:12`, `2025-06-09`: where the reader is. */
export function localTime(time: Date, { now, timeZone }: Clock): string {
  const zone = zoneOf(timeZone);
  const local = localMillis(zone, time.getTime());
  const isRecent = Math.abs(now.getTime() - time.getTime()) < recentDays * dayMillis;
  if (!isRecent) return fieldsOf(local)[0] ?? "";
  const isToday = dayOf(local) === dayOf(localMillis(zone, now.getTime()));
  // Of a date in UTC, its parts are what a clock there shows.
  const shown = new Date(local);
  const day = isToday ? "today" : `${shown.getUTCDate()} ${months[shown.getUTCMonth()]}`;
  return `${day} ${twoDigits(shown.getUTCHours())}:${twoDigits(shown.getUTCMinutes())}`;
}

/** `2026-11-14 09:12:33 +01:00` */
export function exactTime(time: Date, { timeZone }: Pick<Clock, "timeZone">): string {
  const local = localMillis(zoneOf(timeZone), time.getTime());
  const offset = local - time.getTime();
  const [, size = ""] = fieldsOf(Math.abs(offset));
  return `${fieldsOf(local).join(" ")} ${offset < 0 ? "-" : "+"}${size.slice(0, 5)}`;
}

/** The zone's own name, or undefined if there is no such zone. Offsets are none: there are thousands of them. */
export function timeZoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return zoneOf(name).name;
  } catch {
    return undefined;
  }
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

interface Zone {
  /** Kept: the format takes longer to tell it than to show a time. */
  name: string;
  /** Takes some 50 kB, and a tenth of a millisecond to make. */
  format: Intl.DateTimeFormat;
  /**
   * By day, how far it is ahead of UTC when the day begins there, in milliseconds. The format takes 25 µs for each time,
   * more than all else in a row of a list.
   */
  offsets: Map<number, number>;
}

const zones = new LRUCache<string, Zone>({ max: 50 });
/** Ten years: somebody may list older things than that, one page after the other. */
const mostDays = 3_650;

function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName: "longOffset" });
  const { timeZone: name } = format.resolvedOptions();
  const zone = { name, format, offsets: new Map() };
  // `EUROPE/berlin` is the same zone: kept once, under its own name.
  zones.set(name, zone);
  return zone;
}

/** No zone changes its clocks twice a day: if two days begin alike, so is everything between. */
function localMillis(zone: Zone, time: number): number {
  const offset = offsetOfDay(zone, dayOf(time));
  const isSteady = offset === offsetOfDay(zone, dayOf(time) + 1);
  return time + (isSteady ? offset : readOffset(zone, time));
}

function offsetOfDay(zone: Zone, day: number): number {
  const known = zone.offsets.get(day);
  if (known !== undefined) return known;
  if (zone.offsets.size >= mostDays) zone.offsets.clear();
  const offset = readOffset(zone, day * dayMillis);
  zone.offsets.set(day, offset);
  return offset;
}

function readOffset({ format }: Zone, time: number): number {
  const name = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
  const size = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000;
  return sign === "-" ? -size : size;
}

function dayOf(time: number): number {
  return Math.floor(time / dayMillis);
}

/** The date and the time of day, in UTC. */
function fieldsOf(time: number): string[] {
  return new Date(time).toISOString().slice(0, 19).split("T");
}

function twoDigits(count: number): string {
  return count < 10 ? `0${count}` : `${count}`;
}
