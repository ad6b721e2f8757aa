import { basename } from "node:path";
import { Failure } from "../failure.ts";

const reservedOnWindows = /[<>:"|?*]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Names come from other people: the safe form of a name never leads out of the named folder. */
export function safeName(name: string): string {
  const base = basename(name.replaceAll("\\", "/").replace(/\p{Control}/gu, "_"));
  if (base === "" || base === "." || base === "..") return "download";
  return process.platform === "win32" && reservedOnWindows.test(base)
    ? `_${base.replace(/[<>:"|?*]|[. ]$/g, "_")}`
    : base;
}

export function safeParts(path: string): string[] {
  const parts = path.split("/");
  if (parts.every((part) => part !== "" && part === safeName(part) && !part.includes("\\"))) return parts;
  throw new Failure(
    "internal",
    `The server sent \`${path}\`, which is not a path inside the folder. Nothing was saved.`,
  );
}

/**
 * The name under which something from the server is saved at the top. A hidden file there may be one that a shell or an
 * editor runs: the person must have typed its name.
 */
export function topName(offered: string, argv: readonly string[]): string {
  const name = safeName(offered);
  if (isRepositoryName(name)) {
    throw new Failure(
      "usage",
      `svc never writes \`${name}\`: version control would run programs named in it. Nothing was saved.`,
      {
        hint: "Choose another name with --output.",
      },
    );
  }
  if (!isHidden(name) || argv.some((word) => word.split("/").findLast((part) => part !== "") === name)) {
    return name;
  }
  throw new Failure(
    "usage",
    `\`${name}\` begins with a dot, and you did not type that name. Nothing was saved.`,
    { hint: "Name it with --output." },
  );
}

function isHidden(name: string): boolean {
  return visible(name).startsWith(".");
}

/** Git and its relatives read there, in the current folder or above it, which programs they run. */
const repositories = [
  ".git",
  ".hg",
  ".sl",
  ".jj",
  ".bzr",
  "_darcs",
  ".pijul",
  ".fslckout",
  "_fossil_",
  ".fos",
  "_mtn",
];

/** Whether some file system takes it for one of these, as git's own check does. */
export function isRepositoryName(name: string): boolean {
  const folded = foldedName(name);
  return repositories.some((known) => folded === known || isShortOf(folded, known));
}

/** NTFS has short names. */
function isShortOf(folded: string, known: string): boolean {
  const [start, number, ...more] = folded.split("~");
  return more.length === 0 && start === known.replace(".", "").slice(0, 6) && /^\d+$/.test(number ?? "");
}

/** The name to which file systems fold it that ignore case, or that drop what is invisible or at its end. */
export function foldedName(name: string): string {
  // NTFS ends a name at a colon, and drops dots and spaces behind it.
  const [base = ""] = visible(name).split(":");
  // In both ways: some letters outside ASCII fold to one of ASCII in one of them only.
  // guard: names-are-folded
  return base
    .replace(/(?<![. ])[. ]+$/, "")
    .toUpperCase()
    .toLowerCase();
}

/** HFS+ ignores invisible characters. */
function visible(name: string): string {
  return name.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}
