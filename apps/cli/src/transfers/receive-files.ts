import { createHash } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Failure, Interrupted } from "@svc/machine/failure";
import { PartFolder, refuseTaken, taken } from "@svc/machine/files/part-folder";
import { isGitName, safeParts, topName } from "@svc/machine/files/safe-name";
import { NetworkFailure } from "@svc/machine/network/network-failure";
import type { RenewableFile, RenewableFolder } from "@svc/machine/network/renewable-address";
import { receiveInto, receiveThrough } from "@svc/transfers/receive-content";
import { receiveFiles } from "@svc/transfers/receive-packs";
import type { Invocation } from "../invocation.ts";
import { Refusal, type Service } from "../network/service.ts";
import type { ProgressLine } from "../progress-line.ts";
import { connect } from "./connect.ts";

interface Receiver {
  service: Service;
  invocation: Pick<Invocation, "terminal" | "environment">;
  progress: ProgressLine;
  /** The line: a hidden name is saved only if the line contains it. */
  argv: readonly string[];
  output: string | undefined;
}

/** Saves a file where `--output` says, otherwise under its name in this folder. Returns the path. */
export async function receiveFile(file: RenewableFile, receiver: Receiver): Promise<string | undefined> {
  const { invocation, progress, argv, output } = receiver;
  const service = connect(receiver.service, progress);
  const content = { ...file, address: file };
  if (output === "-") {
    await receiveThrough(service, content, (chunk) => invocation.terminal.out(chunk), file.name, progress);
    return undefined;
  }
  const isNamed = output !== undefined && !(await isFolder(output));
  const place = isNamed ? output : join(output ?? ".", topName(file.name, argv));
  await save(place, file.sha256, receiver, async (part) => {
    await receiveInto(service, content, part.content, basename(place), progress);
    await part.claimFile();
  });
  return place;
}

/** All or nothing: under a temporary name until every file is complete and correct. */
export async function receiveFolder(answer: RenewableFolder, receiver: Receiver): Promise<string> {
  const { invocation, progress, argv, output } = receiver;
  const service = connect(receiver.service, progress);
  if (output === "-") {
    throw new Failure("usage", "A folder cannot be printed.", { hint: "Name a folder with --output." });
  }
  const place = output ?? join(".", topName(answer.name, argv));
  // Before anything is written: an honest server never sends a name that leads elsewhere.
  const files = answer.files.map((file) => ({ ...file, parts: safeParts(file.path) }));
  requirePlausible(files);
  const folders = answer.folders.map((path) => ({ parts: safeParts(path) }));
  const wanted = files.filter(isWanted);
  const list = createHash("sha256").update(JSON.stringify(wanted.map(({ path, sha256 }) => [path, sha256])));
  await save(place, list.digest("hex"), receiver, async (part) => {
    const parents = wanted.map(({ parts }) => join(...parts.slice(0, -1)));
    const within = new Set([...folders.filter(isWanted).map(({ parts }) => join(...parts)), ...parents]);
    for (const path of ["", ...within]) await mkdir(join(part.content, path), { recursive: true });
    let done = 0;
    const onFile = () => {
      done += 1;
      progress.show({ label: `Receiving ${answer.name}`, done, total: wanted.length });
    };
    await receiveFiles(wanted, { folder: answer, part, service, progress, onFile });
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

/** An honest server sends each path once, and no sizes that are none. */
function requirePlausible(files: readonly { path: string; size: number }[]): void {
  const paths = new Set<string>();
  for (const { path, size } of files) {
    if (!paths.has(path) && Number.isSafeInteger(size) && size >= 0) paths.add(path);
    else throw new Failure("internal", `The server sent a wrong entry for \`${path}\`. Nothing was saved.`);
  }
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
    const isGone = error instanceof Refusal && error.problem.status === 404;
    // A problem on this machine will recur; everything else may be temporary.
    const isLost = isGone || (error instanceof Failure && !isCut) || (code !== undefined && !isFull);
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
