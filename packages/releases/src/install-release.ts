import { rmSync, statSync } from "node:fs";
import { Failure } from "@svc/machine/failure";
import type { Installation } from "./installation.ts";
import { replaceBinary } from "./replace-binary.ts";
import { removeLeftovers, temporaryName } from "./temporary-files.ts";
import { versionOf } from "./version-of.ts";

/** Receives the new one beside the old one, tries it, and only then puts it in its place. */
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
        const what = said === undefined ? "does not run on this machine" : `says that it is ${said}`;
        throw new Failure("updateRefused", `${product} ${version} ${what}. What was here is as it was.`);
      }
      const now = statSync(path);
      if (now.ino !== before.ino || now.mtimeMs !== before.mtimeMs) {
        throw new Failure("conflict", "Another update was faster.", { hint: `See: ${product} --version` });
      }
      replaceBinary(installation, replacement);
    } finally {
      rmSync(replacement, { force: true });
    }
  });
}

/** A full disk or a folder that was taken away ends in words. */
export async function refusingDisk<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof Failure || syscall === undefined) throw error;
    throw new Failure("disk", `${path} cannot be replaced: ${code} (${syscall}).`, { cause: error });
  }
}
