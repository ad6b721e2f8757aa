import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Failure } from "@svc/machine/failure";

/** Whether a small file of an interrupted download is all there: it may have been cut while it was written. */
export async function isComplete(
  path: string,
  { size, sha256 }: { size: number; sha256: string },
): Promise<boolean> {
  if ((await lstat(path)).size !== size) return false;
  return (
    createHash("sha256")
      .update(await readFile(path))
      .digest("hex") === sha256
  );
}

/** Never over another file: `A` and `a` are two files on the server, and one on some machines. */
export function writeNew(path: string, content: Uint8Array): void {
  try {
    writeFileSync(path, content, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Failure("conflict", `Two files of the folder are both \`${basename(path)}\` on this machine.`, {
      hint: "Rename one of them, or download them one by one.",
      cause: error,
    });
  }
}
