import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readerLimits } from "./reader-limits.ts";

/**
 * The command line that starts Node with few rights: kernel limits (prlimit), no network if the kernel supports it, and
 * Node's permission model: no files except its own code, no processes, threads or addons. There is no limit on
 * processes, because the kernel counts them per user, including threads, together with all of ours.
 */
export async function confinedNode(): Promise<{ command: string; args: string[] }> {
  const { way } = await findWay();
  const [command = "prlimit", ...args] = [...way, ...kernelLimits, ...node];
  return { command, args };
}

/** What this machine allows. */
export interface Confinement {
  /** Without limits no document is read. */
  hasLimits: boolean;
  hasNoNetwork: boolean;
  /** Why one of them is missing. */
  refusal?: Error | undefined;
}

export async function findConfinement(): Promise<Confinement> {
  try {
    const { way, refusal } = await findWay();
    const hasNoNetwork = way.length > 0;
    return { hasLimits: true, hasNoNetwork, refusal: hasNoNetwork ? undefined : refusal };
  } catch (error) {
    return { hasLimits: false, hasNoNetwork: false, refusal: error as Error };
  }
}

const kernelLimits = [
  "prlimit",
  `--data=${readerLimits.dataBytes}`,
  `--as=${readerLimits.addressSpaceBytes}`,
  // At the first limit a signal that says why, a second later the end.
  `--cpu=${readerLimits.cpuSeconds}:${readerLimits.cpuSeconds + 1}`,
  `--nofile=${readerLimits.openFiles}`,
  "--fsize=0",
  "--core=0",
];

const readersFolder = fileURLToPath(new URL("./readers", import.meta.url));

const libraries = ["chardet", "htmlparser2", "pdfjs-dist", "postal-mime", "unpdf", "yauzl"];

/** Where a library and, next to it, its dependencies are installed. */
function installFolder(library: string): string[] {
  const manifest = findPackageJSON(library, import.meta.url);
  if (manifest === undefined) throw new Error(`${library} is not installed`);
  return [manifest, realpathSync(manifest)].map((file) => dirname(dirname(file)));
}

const readableFolders = new Set([readersFolder, ...libraries.flatMap(installFolder)]);

const node = [
  process.execPath,
  "--permission",
  ...[...readableFolders].map((folder) => `--allow-fs-read=${folder}/`),
  `--max-old-space-size=${readerLimits.heapMiB}`,
  "--disallow-code-generation-from-strings",
  "--no-warnings",
];

/** As root the second works without user namespaces; in a plain container often only the third does. */
const waysToLeaveTheNetwork = [
  ["unshare", "--user", "--map-current-user", "--net", "--"],
  ["unshare", "--net", "--"],
  [],
];

interface FoundWay {
  way: string[];
  /** Of a better way. */
  refusal: Error | undefined;
}

let found: Promise<FoundWay> | undefined;

/** Tried once, with the limits: without them no document is read. A failure is not cached. */
function findWay(): Promise<FoundWay> {
  found ??= firstThatWorks().catch((error: unknown) => {
    found = undefined;
    throw error;
  });
  return found;
}

async function firstThatWorks(): Promise<FoundWay> {
  let refusal: Error | undefined;
  for (const way of waysToLeaveTheNetwork) {
    const [command = "", ...args] = [...way, ...kernelLimits, "true"];
    try {
      await promisify(execFile)(command, args, { env: {} });
      return { way, refusal };
    } catch (error) {
      refusal = error as Error;
    }
  }
  throw refusal;
}
