import { type SpawnOptions, spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** Runs any program to its end without blocking the servers of this process. */
export async function runProgram(
  program: string,
  argv: readonly string[],
  options: Pick<SpawnOptions, "env" | "uid" | "gid" | "cwd"> = {},
): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null; out: string; error: string }> {
  const child = spawn(program, argv, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (...how) => resolve(how));
  });
  const [out, error, [exitCode, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { exitCode, signal, out, error };
}
