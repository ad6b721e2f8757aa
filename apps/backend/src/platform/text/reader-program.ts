import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

let program: Promise<string> | undefined;

/** What a reader runs. Made once, also for those who ask at the same time; a failure is not kept. */
export function readerProgram(): Promise<string> {
  program ??= print().catch((error: unknown) => {
    program = undefined;
    throw error;
  });
  return program;
}

/** In a process, because Node warns the one that strips types by hand, and ours has a log to keep clean. */
async function print(): Promise<string> {
  const script = fileURLToPath(new URL("./print-reader-program.ts", import.meta.url));
  const args = ["--disable-warning=ExperimentalWarning", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {}, maxBuffer: 1024 ** 2 });
  return stdout;
}
