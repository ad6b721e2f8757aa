import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** The files in staging: uploads and what was derived from them, without the marks of used calls. */
export async function stagedFiles(folder: string): Promise<{ files: number; bytes: number }> {
  const staging = join(folder, "staging");
  const entries = await readdir(staging, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter(
    (entry) => entry.isFile() && !entry.parentPath.startsWith(join(staging, "used")),
  );
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
