import { realpath } from "node:fs/promises";
import { isAbsolute, join, parse, resolve, sep } from "node:path";
import { hasFilePrefix } from "@svc/protocol/local-path";
import { homeFolder } from "./home-folder.ts";

/**
 * - `input`: standard input.
 * - `named`: can only mean a file of this machine: `./x`, `../x`, `file:x`.
 * - `home`: what a shell makes of `~/x`, without a part that begins with a dot.
 * - `unclear`: may also mean something on the server: `report.pdf`, `/reports`.
 */
export type FileForm = "input" | "named" | "home" | "unclear";

const separator = sep === "\\" ? /[\\/]/ : /\//;

/** How a word of the line names a file. A server may ask for any word, so the form alone decides, not the server. */
export async function fileFormOf(word: string, environment: NodeJS.ProcessEnv): Promise<FileForm> {
  if (word === "-") return "input";
  const [first] = word.split(separator);
  if (first === "." || first === ".." || hasFilePrefix(word)) return "named";
  return (await isInHome(word, environment)) ? "home" : "unclear";
}

/** The same file, written so that it can be nothing else. */
export function clearFormOf(word: string, environment: NodeJS.ProcessEnv): string {
  if (word.startsWith("~/")) return join(homeFolder(environment), word.slice(2));
  return isAbsolute(word) ? `file:${word}` : `./${word}`;
}

/** By its name and by its real location: a link in the home folder may lead to `~/.ssh`. */
async function isInHome(path: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const home = resolve(homeFolder(environment));
  const realHome = await realpath(home).catch(() => home);
  if (!isPlainlyBelow(home, path) && !isPlainlyBelow(realHome, path)) return false;
  const real = await realpath(path).catch(() => undefined);
  // The code that opens a missing file reports it.
  return real === undefined || isPlainlyBelow(realHome, real);
}

function isPlainlyBelow(folder: string, path: string): boolean {
  // With the whole disk as home, "in the home folder" says nothing.
  if (parse(folder).root === folder) return false;
  if (!isAbsolute(path) || !path.startsWith(`${folder}${sep}`)) return false;
  const parts = path
    .slice(folder.length)
    .split(separator)
    .filter((part) => part !== "");
  return parts.length > 0 && parts.every((part) => !part.startsWith("."));
}
