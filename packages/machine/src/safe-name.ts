import { basename } from "node:path";
import { Failure } from "./failure.ts";

const reservedOnWindows = /[<>:"|?*]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Names come from other people: what is left of one is never a way out of the folder that was named. */
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
    `The server sent \`${path}\`, which is no place in a folder. Nothing was saved.`,
  );
}
