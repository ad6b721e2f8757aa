import { readableBytes } from "./readable-bytes.ts";
import { type Clock, exactTime, localTime } from "./shown-time.ts";

/** Whom a text is for: somebody at a terminal, or a pipe or file, which gets everything as it is. */
export interface View extends Clock {
  columns: number | undefined;
  /** What the person calls their login. */
  profile?: string | undefined;
}

/** Nobody at a terminal. */
export const piped: View = { columns: undefined, now: new Date(0), timeZone: "UTC" };

export function timeIn(view: View, time: string): string {
  return view.columns === undefined ? time : localTime(new Date(time), view);
}

/** To the second, where a text is about one thing. */
export function exactTimeIn(view: View, time: string): string {
  return view.columns === undefined ? time : exactTime(new Date(time), view);
}

export function bytesIn(view: View, bytes: number): string {
  return view.columns === undefined ? String(bytes) : readableBytes(bytes);
}
