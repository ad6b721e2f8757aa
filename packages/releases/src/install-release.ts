import { rmSync, statSync } from "node:fs";
import { Failure } from "@svc/machine/failure";
import type { Installation } from "./installation.ts";
import { replaceBinary } from "./replace-binary.ts";
import { removeLeftovers, temporaryName } from "./temporary-files.ts";
import { versionOf } from "./version-of.ts";

/** Downloads the new binary next to the old one, tries it, and only then replaces the old one. */
export async function installRelease(
  installation: Installation,
  version: string,
  receive: (place: string) => Promise<void>,
): Promise<void> {
  const { product, path } = installation;
  const replacement = temporaryName(installation);
  await refusingDisk(path, async () => {
    removeLeftovers(installation);
    const before = statSync(path);
    try {
      await receive(replacement);
      const said = versionOf(product, replacement);
      if (said !== version) {
        const what = said === undefined ? "does not run on this machine" : `reports version ${said}`;
        throw new Failure("updateRefused", `${product} ${version} ${what}. Nothing was changed.`);
      }
      const now = statSync(path);
      if (now.ino !== before.ino || now.mtimeMs !== before.mtimeMs) {
        throw new Failure("conflict", "Another update finished first.", {
          hint: `See: ${product} --version`,
        });
      }
      replaceBinary(installation, replacement);
    } finally {
      rmSync(replacement, { force: true });
    }
  });
}

/** Turns a full disk or a vanished folder into a message. */
export async function refusingDisk<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof Failure || syscall === undefined) throw error;
    throw new Failure("disk", `${path} cannot be replaced: ${code} (${syscall}).`, { cause: error });
  }
}
