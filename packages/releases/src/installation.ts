import { execFileSync } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "@svc/machine/failure";

/** Where a program is, and the files next to it. */
export interface Installation {
  product: string;
  path: string;
  folder: string;
  /** The previous version, for a rollback. */
  previous: string;
  isWindows: boolean;
}

/** Package managers that own a folder, and the command to type instead. */
const owners: readonly [RegExp, string, string][] = [
  [/[/\\]node_modules[/\\]/, "npm", "npm update --global"],
  [/^\/nix\/store\//, "Nix", "nix profile upgrade"],
  [/\/Cellar\//, "Homebrew", "brew upgrade"],
  [/^\/snap\//, "snap", "snap refresh"],
  [/[/\\]scoop[/\\]apps[/\\]/i, "Scoop", "scoop update"],
];

const packageDatabases: readonly [program: string, argument: string, command: string][] = [
  ["dpkg-query", "--search", "sudo apt-get install --only-upgrade"],
  ["rpm", "-qf", "sudo dnf upgrade"],
];

export function locate(
  product: string,
  execPath: string,
  isWindows = process.platform === "win32",
): Installation {
  const path = found(execPath);
  if (/^(bun|bunx|node)(\.exe)?$/i.test(basename(path))) {
    throw new Failure("usage", `This ${product} runs from source: there is no binary to replace.`, {
      hint: "Update the source instead: git pull && npm ci",
    });
  }
  const folder = dirname(path);
  return {
    product,
    path,
    folder,
    previous: join(folder, `${product}.prev${isWindows ? ".exe" : ""}`),
    isWindows,
  };
}

function found(execPath: string): string {
  try {
    return realpathSync(execPath);
  } catch (error) {
    throw new Failure("disk", `${execPath} no longer exists.`, { cause: error });
  }
}

/** Says what to type instead, if a program may not replace itself. */
export function refuseForeign({ product, path, folder, isWindows }: Installation): void {
  const owner = ownerOf(product, path);
  if (owner) {
    throw new Failure(
      "updateRefused",
      `${path} is managed by ${owner.name}, so ${product} does not replace it.`,
      {
        hint: `Update it there: ${owner.command}`,
      },
    );
  }
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    // -H: otherwise some systems let root write files into this user's home that the user cannot read.
    throw new Failure("disk", `You cannot write to ${folder}, where ${product} is installed.`, {
      hint: isWindows
        ? "Run it again as administrator."
        : `Run: sudo -H '${path}' update. Or install your own copy into ~/.local/bin.`,
      cause: error,
    });
  }
}

function ownerOf(product: string, path: string): { name: string; command: string } | undefined {
  for (const [place, name, command] of owners)
    if (place.test(path)) return { name, command: `${command} ${product}` };
  if (!/^\/(usr\/)?s?bin\//.test(path)) return undefined;
  for (const [program, argument, command] of packageDatabases) {
    const answer = ask(program, argument, path);
    const name = answer?.split(/[:\s]/, 1)[0];
    if (name) return { name: `the package ${name}`, command: `${command} ${name}` };
  }
  return undefined;
}

/** Undefined if there is no such program, or if it does not know the file. */
function ask(program: string, argument: string, path: string): string | undefined {
  try {
    const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
    return execFileSync(`/usr/bin/${program}`, [argument, path], { encoding: "utf8", timeout: 5_000, stdio });
  } catch {
    return undefined;
  }
}
