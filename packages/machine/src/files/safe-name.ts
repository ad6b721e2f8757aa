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
  if (isGitName(name)) {
    throw new Failure(
      "usage",
      `svc never writes \`${name}\`: git would run programs named in it. Nothing was saved.`,
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

/**
 * Whether some file system takes it for `.git`, as git's own check does: git runs programs that the folder's config
 * names.
 */
export function isGitName(name: string): boolean {
  // NTFS ends a name at a colon, drops dots and spaces behind it, and has short names.
  const [base = ""] = visible(name).split(":");
  return /^(\.git|git~\d+)[. ]*$/i.test(base) || base.toUpperCase() === ".GIT";
}

/** HFS+ ignores invisible characters. */
function visible(name: string): string {
  return name.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}
