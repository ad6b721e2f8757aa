import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import type { Installation } from "./installation.ts";
import { temporaryName } from "./temporary-files.ts";

/** Puts a file in the place of a program and keeps the old one. At every moment there is one that runs. */
export function replaceBinary(installation: Installation, replacement: string): void {
  const { path, previous, folder } = installation;
  if (installation.isWindows) {
    replaceRunning(installation, replacement);
    return;
  }
  const kept = temporaryName(installation);
  linkOrCopy(path, kept);
  renameOver(kept, previous);
  renameOver(replacement, path);
  sync(folder);
}

/** Changes the program and the one before: going back twice is where one was. */
export function swapBinaries(installation: Installation): void {
  const { path, previous, folder } = installation;
  const [older, newer] = [temporaryName(installation), temporaryName(installation)];
  linkOrCopy(previous, older);
  if (installation.isWindows) {
    replaceRunning(installation, older);
    return;
  }
  linkOrCopy(path, newer);
  renameOver(older, path);
  renameOver(newer, previous);
  sync(folder);
}

/** Windows lets a program that runs be renamed, but neither replaced nor removed. */
function replaceRunning(installation: Installation, replacement: string): void {
  const { path, previous } = installation;
  // The one before may still run as well; its leftover goes with the next update.
  if (existsSync(previous)) renameSync(previous, temporaryName(installation));
  renameSync(path, previous);
  try {
    renameSync(replacement, path);
  } catch (error) {
    renameSync(previous, path);
    throw error;
  }
}

/** Two names of one file are left as they are by rename(2): an update that was killed leaves such. */
function renameOver(from: string, to: string): void {
  try {
    renameSync(from, to);
  } finally {
    rmSync(from, { force: true });
  }
}

/** Some file systems have no links. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    sync(to);
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
