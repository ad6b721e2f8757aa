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

/** Replaces a program with a file and keeps the old one. At every point there is a working program. */
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

/** Swaps the program and its previous version: swapping twice changes nothing. */
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

/** Windows lets a running program be renamed, but neither replaced nor removed. */
function replaceRunning(installation: Installation, replacement: string): void {
  const { path, previous } = installation;
  // The previous version may still be running as well; the next update removes its leftover.
  if (existsSync(previous)) renameSync(previous, temporaryName(installation));
  renameSync(path, previous);
  try {
    renameSync(replacement, path);
  } catch (error) {
    renameSync(previous, path);
    throw error;
  }
}

/** rename(2) does nothing between two names of one file, which a killed update leaves behind. */
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
