import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

let program: Promise<string> | undefined;

/** The program of a reader. Built once, also for concurrent callers; a failure is not cached. */
export function readerProgram(): Promise<string> {
  program ??= print().catch((error: unknown) => {
    program = undefined;
    throw error;
  });
  return program;
}

/** In a separate process, because Node prints a warning when types are stripped by hand, which would clutter our log. */
async function print(): Promise<string> {
  const script = fileURLToPath(new URL("./print-reader-program.ts", import.meta.url));
  const args = ["--disable-warning=ExperimentalWarning", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {}, maxBuffer: 1024 ** 2 });
  return stdout;
}
