import { createHash } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Failure, Interrupted } from "@svc/machine/failure";
import { PartFolder, refuseTaken, taken } from "@svc/machine/files/part-folder";
import { isGitName, safeParts, topName } from "@svc/machine/files/safe-name";
import { NetworkFailure } from "@svc/machine/network/network-failure";
import type { RenewableFile, RenewableFolder } from "@svc/machine/network/renewable-address";
import type { Invocation } from "../invocation.ts";
import type { Service } from "../network/service.ts";
import type { ProgressLine } from "../progress-line.ts";
import { receiveInto, receiveThrough } from "./receive-content.ts";

interface Receiver {
  service: Service;
  invocation: Pick<Invocation, "terminal" | "environment">;
  progress: ProgressLine;
  /** The line: a hidden name is saved only if the line contains it. */
  argv: readonly string[];
  output: string | undefined;
}

const filesAtOnce = 4;

/** Saves a file where `--output` says, otherwise under its name in this folder. Returns the path. */
export async function receiveFile(file: RenewableFile, receiver: Receiver): Promise<string | undefined> {
  const { service, invocation, progress, argv, output } = receiver;
  if (output === "-") {
    await receiveThrough(service, file, (chunk) => invocation.terminal.out(chunk), file.name, progress);
    return undefined;
  }
  const isNamed = output !== undefined && !(await isFolder(output));
  const place = isNamed ? output : join(output ?? ".", topName(file.name, argv));
  await save(place, file.sha256, receiver, async (part) => {
    await receiveInto(service, file, part.content, basename(place), progress);
    await part.claimFile();
  });
  return place;
}

/** All or nothing: under a temporary name until every file is complete and correct. */
export async function receiveFolder(answer: RenewableFolder, receiver: Receiver): Promise<string> {
  const { service, invocation, progress, argv, output } = receiver;
  if (output === "-") {
    throw new Failure("usage", "A folder cannot be printed.", { hint: "Name a folder with --output." });
  }
  const place = output ?? join(".", topName(answer.name, argv));
  // Before anything is written: an honest server never sends a name that leads elsewhere.
  const files = answer.files.map((file) => ({ ...file, parts: safeParts(file.path) }));
  const folders = answer.folders.map((path) => ({ parts: safeParts(path) }));
  const wanted = files.filter(isWanted);
  const list = createHash("sha256").update(JSON.stringify(wanted.map(({ path, sha256 }) => [path, sha256])));
  await save(place, list.digest("hex"), receiver, async (part) => {
    for (const { parts } of [{ parts: [] }, ...folders.filter(isWanted)]) {
      await mkdir(join(part.content, ...parts), { recursive: true });
    }
    let [done, isOver] = [0, false];
    const rest = wanted.values();
    const takeNext = async () => {
      for (const { parts, ...file } of rest) {
        if (isOver) return;
        await mkdir(join(part.content, ...parts.slice(0, -1)), { recursive: true });
        await receiveInto(service, file, join(part.content, ...parts), undefined, progress);
        done += 1;
        progress.show({ label: `Receiving ${answer.name}`, done, total: wanted.length });
      }
    };
    const takers = Array.from({ length: filesAtOnce }, () =>
      takeNext().finally(() => {
        isOver = true;
      }),
    );
    // All writes have stopped when the first failure is reported.
    await Promise.allSettled(takers);
    await Promise.all(takers);
    await part.claimFolder();
  });
  const left = files.length - wanted.length + folders.length - folders.filter(isWanted).length;
  if (left > 0) {
    await progress.clear();
    await invocation.terminal.error(
      `note: left out ${left} ${left === 1 ? "entry" : "entries"}: svc never writes a .git folder\n`,
    );
  }
  return place;
}

function isWanted({ parts }: { parts: readonly string[] }): boolean {
  return !parts.some(isGitName);
}

async function isFolder(output: string): Promise<boolean> {
  return stat(output).then(
    (found) => found.isDirectory(),
    () => output.endsWith("/"),
  );
}

async function save(
  place: string,
  digest: string,
  { invocation: { environment } }: Receiver,
  work: (part: PartFolder) => Promise<void>,
): Promise<void> {
  await refuseTaken(place);
  let part: PartFolder | undefined;
  try {
    part = await PartFolder.open(place, digest, environment);
    await work(part);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isFull = code === "ENOSPC" || code === "EDQUOT";
    const isCut =
      error instanceof Interrupted || (error instanceof NetworkFailure && error.kind !== "internal");
    // A problem on this machine will recur; everything else may be temporary.
    const isLost = (error instanceof Failure && !isCut) || (code !== undefined && !isFull);
    const isKept = part?.isFoundAgain === true && !isLost;
    if (!isKept) await part?.remove();
    if (isCut && isKept) {
      throw new Failure(error.kind, error.message, {
        hint: "The part that arrived is kept: repeat the line to resume.",
        cause: error,
      });
    }
    if (error instanceof Failure || code === undefined) throw error;
    if (code === "EEXIST") throw taken(place);
    throw new Failure("disk", `\`${place}\` cannot be written: ${code}.`, {
      hint: isFull
        ? "The disk is full. Free some space and repeat the line to resume."
        : "Choose another location with --output.",
      cause: error,
    });
  }
}
