import { hasStackedMarks } from "@svc/command-router/arguments/has-stacked-marks";
import { ProblemError } from "@svc/protocol/problem";

const maxNameBytes = 255;
const maxDepth = 100;
/** What Windows cannot store under any extension; a tree that is synced there must not hold it. */
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/** A path as people type it: `/a/b`, `a/b`, `/a//b/`. Always from the top of the workspace; `.` and `..` are resolved. */
export function parsePath(text: string): string[] {
  const parts: string[] = [];
  for (const part of text.normalize("NFC").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  if (parts.length > maxDepth)
    throw new ProblemError("invalid_arguments", `A path has at most ${maxDepth} parts.`);
  return parts;
}

/** Whether something could be there at all: no name has a NUL in it, and PostgreSQL takes none. */
export function isPath(text: string): boolean {
  return !text.includes("\0") && text.split("/").length <= maxDepth;
}

export function formatPath(parts: readonly string[]): string {
  return `/${parts.join("/")}`;
}

/** A name that every system can store and no terminal is fooled by. Says what is wrong, or nothing. */
function nameFault(name: string): string | undefined {
  if (name === "" || name === "." || name === "..") return "is not a name";
  if (/[/\\]/.test(name)) return "has a separator in it";
  if (/[\p{Control}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(name))
    return "has a control character in it";
  if (Buffer.byteLength(name) > maxNameBytes) return `has more than ${maxNameBytes} bytes`;
  if (hasStackedMarks(name)) return "has more than 30 combining marks in a row";
  if (reserved.test(name)) return "is reserved on Windows";
  if (/[. ]$/.test(name) || name.startsWith(" ")) return "begins or ends with a space, or ends with a dot";
  return undefined;
}

export function requireName(name: string): string {
  // Of an archive; the names of a line were looked at before.
  const normal = hasStackedMarks(name) ? name : name.normalize("NFC");
  const fault = nameFault(normal);
  if (fault !== undefined) throw new ProblemError("invalid_arguments", `\`${name}\` ${fault}.`);
  return normal;
}
