import { grouped } from "./counted.ts";
import { readableBytes, readablePart } from "./readable-bytes.ts";
import { toTerminalLine } from "./terminal-text.ts";

/** How far some work is. */
export interface Step {
  /** What is done: `Sending`. */
  label: string;
  /** With what: the name of a file or folder. */
  subject?: string | undefined;
  done: number;
  total?: number | undefined;
  unit?: string | undefined;
}

interface View {
  columns: number;
  /** Since the work began, and how much was done then. */
  millis: number;
  from: number;
}

const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const spinnerMillis = 100;
const longestBar = 40;
const shortestBar = 6;

/**
 * One line: `⠹ Sending  photos  ━━━━╸─────   57 %   4.7 of 8.2 MB  4.40 MB/s   0:01`. Numbers keep their width, so
 * that nothing jumps; the sign in front moves even if they do not.
 */
export function progressText(step: Step, view: View): string {
  const { label, subject, done, total, unit } = step;
  const { columns, millis, from } = view;
  const name = cutToWidth(toTerminalLine(subject ?? ""), columns < 100 ? 16 : 32);
  const head = `${spinnerAt(millis)} ${toTerminalLine(label)}${name === "" ? "" : `  ${name}`}`;
  const perSecond = millis < 1_000 ? 0 : ((done - from) / millis) * 1_000;
  const isBytes = unit === "bytes";
  const speed = isBytes ? `  ${perSecond > 0 ? `${readableBytes(perSecond)}/s` : ""}`.padEnd(11) : "";
  if (!total) return `${head}  ${isBytes ? readableBytes(done) : `${grouped(done)} ${unit ?? ""}`}${speed}`;
  const part = Math.min(1, done / total);
  const amount = isBytes ? readablePart(done, total) : countOf(done, total, unit);
  const left = timeLeft(perSecond > 0 ? (total - done) / perSecond : undefined);
  const tail = `${`${Math.floor(part * 100)} %`.padStart(5)}  ${amount}${speed}  ${left}`;
  const room = Math.min(longestBar, columns - widthOf(head) - tail.length - 4);
  return room < shortestBar ? `${head}  ${tail}` : `${head}  ${bar(part, room)}  ${tail}`;
}

/** `⠹ Waiting  12 s  example.com is rate limiting requests.` */
export function waitingText(reason: string, millisLeft: number, millis: number): string {
  const seconds = Math.max(0, Math.ceil(millisLeft / 1_000));
  return `${spinnerAt(millis)} Waiting  ${String(seconds).padStart(3)} s  ${toTerminalLine(reason)}`;
}

/** A wrapped line cannot be overwritten. Possibly wide characters count as wide: measuring them takes 10 ms to load. */
export function cutToWidth(text: string, columns: number): string {
  let left = columns;
  let cut = "";
  for (const character of text) {
    left -= widthOf(character);
    if (left < 0) break;
    cut += character;
  }
  return cut;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    width += (character.codePointAt(0) ?? 0) < 0x1100 || narrow.includes(character) ? 1 : 2;
  }
  return width;
}

const narrow = `━╸─…${spinner}`;

function spinnerAt(millis: number): string {
  return spinner[Math.floor(millis / spinnerMillis) % spinner.length] ?? "";
}

function bar(part: number, width: number): string {
  const halves = Math.floor(part * width * 2);
  const full = "━".repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? "╸" : "");
  return full.padEnd(width, "─");
}

function countOf(done: number, total: number, unit: string | undefined): string {
  return `${grouped(done).padStart(grouped(total).length)} of ${grouped(total)}${unit === undefined ? "" : ` ${unit}`}`;
}

/** `0:01`, or `1h02` from an hour on. */
function timeLeft(seconds: number | undefined): string {
  if (seconds === undefined || seconds >= 100 * 3_600) return "-:--".padStart(5);
  const whole = Math.max(0, Math.ceil(seconds));
  const [large, small] = whole < 3_600 ? [whole / 60, whole % 60] : [whole / 3_600, (whole % 3_600) / 60];
  const parts = [Math.floor(large), String(Math.floor(small)).padStart(2, "0")];
  return parts.join(whole < 3_600 ? ":" : "h").padStart(5);
}
