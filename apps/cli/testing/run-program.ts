import { type SpawnOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const modules = join(import.meta.dirname, "../../../node_modules");
const architecture = process.arch === "arm64" ? "aarch64" : process.arch;
const checked = join(modules, `@oven/bun-${process.platform}-${architecture}/bin/bun`);

/** The runtime that people get. An npm before 11.19 runs an install script that moves it. */
export const bunProgram = existsSync(checked) ? checked : join(modules, ".bin/bun");

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
