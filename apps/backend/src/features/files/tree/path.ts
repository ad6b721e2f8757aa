import { ProblemError } from "@svc/protocol/problem";
import { hasStackedMarks } from "@svc/unicode/stacked-marks";

const maxNameBytes = 255;
const maxDepth = 100;
/** Names that Windows cannot store under any extension; a tree that is synced there must not contain them. */
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/** A path as people type it: `/a/b`, `a/b`, `/a//b/`. Always relative to the workspace root; `.` and `..` are resolved. */
export function parsePath(text: string): string[] {
  const parts: string[] = [];
  for (const part of text.normalize("NFC").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  if (parts.length > maxDepth)
    throw new ProblemError("invalid_arguments", `A path can have at most ${maxDepth} parts.`);
  return parts;
}

/** Whether such a path can exist at all: names contain no NUL, and PostgreSQL accepts none. */
export function isPath(text: string): boolean {
  return !text.includes("\0") && text.split("/").length <= maxDepth;
}

export function formatPath(parts: readonly string[]): string {
  return `/${parts.join("/")}`;
}

/** Separators, control characters and those that change the direction of a line. */
const forbidden = /[/\\\p{Control}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Checks that every system can store a name and that it cannot deceive a terminal. Returns what is wrong, or nothing. */
function nameFault(name: string): string | undefined {
  if (name === "" || name === "." || name === "..") return "is not a name";
  if (/[/\\]/.test(name)) return "contains a path separator";
  if (forbidden.test(name)) return "contains a control character";
  if (Buffer.byteLength(name) > maxNameBytes) return `has more than ${maxNameBytes} bytes`;
  if (hasStackedMarks(name)) return "has more than 30 combining marks in a row";
  if (reserved.test(name)) return "is reserved on Windows";
  if (/[. ]$/.test(name) || name.startsWith(" ")) return "begins or ends with a space, or ends with a dot";
  return undefined;
}

export function isStorable(name: string): boolean {
  return nameFault(normalized(name)) === undefined;
}

/** The nearest name that can be stored. */
export function repairName(name: string): string {
  const normal = normalized(hasStackedMarks(name) ? name.replace(/\p{Mark}/gu, "") : name);
  const clean = withoutEdges([...normal].map((each) => (forbidden.test(each) ? "_" : each)).join(""));
  const whole = reserved.test(clean) ? `_${clean}` : clean;
  if (nameFault(whole) === undefined) return whole;
  // Too long, or nothing is left of it.
  const dot = whole.lastIndexOf(".");
  const end = dot > 0 && whole.length - dot <= longestExtension ? whole.slice(dot) : "";
  let cut = "";
  for (const character of whole.slice(0, whole.length - end.length)) {
    if (Buffer.byteLength(cut + character + end) > maxNameBytes) break;
    cut += character;
  }
  const shorter = withoutEdges(cut) + end;
  return nameFault(shorter) === undefined ? shorter : "_";
}

const longestExtension = 20;

/** Without spaces at the beginning, and spaces and dots at the end. */
function withoutEdges(name: string): string {
  let [start, end] = [0, name.length];
  while (name[start] === " ") start += 1;
  while (end > start && (name[end - 1] === " " || name[end - 1] === ".")) end -= 1;
  return name.slice(start, end);
}

function normalized(name: string): string {
  return hasStackedMarks(name) ? name : name.normalize("NFC");
}

export function requireName(name: string): string {
  // Names in a manifest; names on the command line were checked earlier.
  const normal = normalized(name);
  const fault = nameFault(normal);
  if (fault !== undefined) throw new ProblemError("invalid_arguments", `\`${name}\` ${fault}.`);
  return normal;
}
