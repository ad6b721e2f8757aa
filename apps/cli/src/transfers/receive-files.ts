import { createHash } from "node:crypto";
import { link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure, Interrupted } from "@svc/machine/failure";
import { NetworkFailure } from "@svc/machine/network-failure";
import { safeName, safeParts } from "@svc/machine/safe-name";
import type { FileAnswer, FolderAnswer } from "@svc/protocol/exchange";
import type { Service } from "../network/service.ts";
import type { ProgressLine } from "../progress-line.ts";
import type { Terminal } from "../terminal.ts";
import { Changed, receiveInto, receiveThrough } from "./receive-content.ts";

const filesAtOnce = 4;

/** Saves a file where `--output` says, else under its name in this folder. Answers where. */
export async function receiveFile(
  service: Service,
  file: FileAnswer,
  output: string | undefined,
  terminal: Terminal,
  progress: ProgressLine,
): Promise<string | undefined> {
  if (output === "-") {
    await receiveThrough(service, file, (chunk) => terminal.out(chunk), file.name, progress);
    return undefined;
  }
  const place = await placeFor(safeName(file.name), output);
  await refuseTaken(place);
  const part = partFor(place, file.sha256);
  await saved(place, part, async () => {
    await receiveInto(service, file, part, basename(place), progress);
    await claim(part, place);
  });
  return place;
}

/** All of it or nothing: under another name until every file is there and right. */
export async function receiveFolder(
  service: Service,
  { name, folders, files }: FolderAnswer,
  output: string | undefined,
  progress: ProgressLine,
): Promise<string> {
  if (output === "-") {
    throw new Failure("usage", "A folder cannot be printed.", { hint: "Name a folder with --output." });
  }
  const place = output ?? join(".", safeName(name));
  await refuseTaken(place);
  // Before anything is written: a name that leads elsewhere is no mistake that a server makes.
  const places = files.map((file) => ({ ...file, parts: safeParts(file.path) }));
  const insides = folders.map(safeParts);
  const list = createHash("sha256").update(JSON.stringify(files.map(({ path, sha256 }) => [path, sha256])));
  const part = partFor(place, list.digest("hex"));
  await saved(place, part, async () => {
    for (const inside of [[], ...insides]) await mkdir(join(part, ...inside), { recursive: true });
    let done = 0;
    const rest = places.values();
    const takeNext = async () => {
      for (const { parts, ...file } of rest) {
        await mkdir(join(part, ...parts.slice(0, -1)), { recursive: true });
        await receiveInto(service, file, join(part, ...parts), undefined, progress);
        done += 1;
        progress.show({ label: `Receiving ${name}`, done, total: files.length });
      }
    };
    await Promise.all(Array.from({ length: filesAtOnce }, takeNext));
    await refuseTaken(place);
    await rename(part, place);
  });
  return place;
}

async function placeFor(name: string, output: string | undefined): Promise<string> {
  if (output === undefined) return join(".", name);
  const isFolder = await stat(output).then(
    (found) => found.isDirectory(),
    () => output.endsWith("/"),
  );
  return isFolder ? join(output, name) : output;
}

/**
 * The same content for the same place has the same one: what a cut left is found again. Not the whole name, which may
 * be as long as a name may be.
 */
function partFor(place: string, digest: string): string {
  const begin = [...basename(place)].slice(0, 40).join("");
  return join(dirname(place), `.${begin}.${digest.slice(0, 16)}.part`);
}

async function saved(place: string, part: string, work: () => Promise<void>): Promise<void> {
  try {
    await mkdir(dirname(place), { recursive: true });
    await work();
  } catch (error) {
    if (error instanceof Changed) await rm(part, { recursive: true, force: true });
    if (error instanceof NetworkFailure || error instanceof Interrupted) {
      throw new Failure(error.kind, error.message, {
        hint: "What has arrived is kept: the same line again goes on from there.",
        cause: error,
      });
    }
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof Failure || code === undefined) throw error;
    if (code === "EEXIST") throw taken(place);
    throw new Failure("disk", `\`${place}\` cannot be written: ${code}.`, {
      hint:
        code === "ENOSPC" || code === "EDQUOT"
          ? "The disk is full. Once there is room, the same line goes on from where it was."
          : "Choose another place with --output.",
      cause: error,
    });
  }
}

/** Not rename alone, which would replace what came in between. Some file systems know no links. */
async function claim(part: string, place: string): Promise<void> {
  try {
    await link(part, place);
    await rm(part);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
    await (await open(place, "wx")).close();
    await rename(part, place);
  }
}

async function refuseTaken(place: string): Promise<void> {
  const isTaken = await stat(place).then(
    () => true,
    () => false,
  );
  if (isTaken) throw taken(place);
}

function taken(place: string): Failure {
  return new Failure("conflict", `There is something at ${place} already; nothing was overwritten.`, {
    hint: "Choose another place with --output.",
  });
}
