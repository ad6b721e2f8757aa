import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Failure, Interrupted } from "@svc/machine/failure";
import { refuseGitPart } from "@svc/machine/files/git-folder";
import { PartFolder } from "@svc/machine/files/part-folder";
import { topName } from "@svc/machine/files/safe-name";
import { SavingPlace, taken } from "@svc/machine/files/saving-place";
import { NetworkFailure } from "@svc/machine/network/network-failure";
import type { RenewableFile, RenewableFolder } from "@svc/machine/network/renewable-address";
import { toTerminalText } from "@svc/rendering/terminal-text";
import { DownloadRemarks } from "@svc/transfers/download-remarks";
import { receiveInto, receiveThrough } from "@svc/transfers/receive-content";
import { receiveFolder } from "@svc/transfers/receive-folder";
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
  /** Whether a file or folder that is there is replaced. */
  replaces: boolean;
}

/** Saves a file where `--output` says, otherwise under its name in this folder. Returns the path. */
export async function saveFile(file: RenewableFile, receiver: Receiver): Promise<string | undefined> {
  const { invocation, progress, argv, output } = receiver;
  const service = connect(receiver.service, progress);
  const content = { ...file, address: file };
  const show = (subject: string) => (done: number) =>
    progress.show({ label: "Receiving", subject, done, total: file.size, unit: "bytes" });
  if (output === "-") {
    await receiveThrough(service, content, (chunk) => invocation.terminal.out(chunk), show(file.name));
    return undefined;
  }
  const isNamed = output !== undefined && !(await isFolder(output));
  const place = isNamed ? output : join(output ?? ".", topName(file.name, argv));
  if (!isNamed) await refuseGitPart(place, false);
  await save(place, "file", file.sha256, receiver, async (part, target) => {
    await receiveInto(service, content, part.content, show(basename(place)));
    await target.takeFile(part.content);
  });
  return place;
}

/** All or nothing: under a temporary name until every file is complete and correct. */
export async function saveFolder(folder: RenewableFolder, receiver: Receiver): Promise<string> {
  const { invocation, progress, argv, output } = receiver;
  const service = connect(receiver.service, progress);
  if (output === "-")
    throw new Failure("usage", "A folder cannot be printed.", { hint: "Name a folder with --output." });
  const place = output ?? join(".", topName(folder.name, argv));
  if (output === undefined) await refuseGitPart(place, true);
  const { bytes: total } = folder.total;
  let done = 0;
  const remarks = new DownloadRemarks();
  const onBytes = (bytes: number) => {
    done += bytes;
    progress.show({ label: "Receiving", subject: folder.name, done, total, unit: "bytes" });
  };
  await save(place, "folder", folder.id, receiver, async (part, target, isThere) => {
    const merged = isThere ? { target: place, requireRoom: target.requireRoom.bind(target) } : {};
    await receiveFolder(folder, { service, place: part.content, onBytes, ...merged, ...remarks });
    await target.takeFolder(part.content);
  });
  await progress.clear();
  for (const note of remarks.notes(toTerminalText)) await invocation.terminal.error(`note: ${note}\n`);
  return place;
}

async function isFolder(output: string): Promise<boolean> {
  return stat(output).then(
    (found) => found.isDirectory(),
    () => output.endsWith("/"),
  );
}

async function save(
  place: string,
  kind: "file" | "folder",
  source: string,
  { invocation: { environment }, replaces }: Receiver,
  work: (part: PartFolder, target: SavingPlace, isThere: boolean) => Promise<void>,
): Promise<void> {
  const target = new SavingPlace(place, { replaces });
  let part: PartFolder | undefined;
  try {
    const isThere = (await target.requireRoom(kind)) !== undefined;
    if (isThere && kind === "folder") await target.refuseHome(environment);
    part = await PartFolder.open(place, source, environment);
    await work(part, target, isThere);
    await part.remove();
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
