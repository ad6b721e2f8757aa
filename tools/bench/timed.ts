import { spawn } from "node:child_process";

export interface Command {
  program: string;
  words: readonly string[];
  environment?: Record<string, string>;
}

/** Milliseconds from start to end; a failed run measures nothing. */
export async function timed({ program, words, environment }: Command): Promise<number> {
  const began = performance.now();
  const child = spawn(program, words, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env.PATH, ...environment },
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const millis = performance.now() - began;
  if (code !== 0) throw new Error(`${program} ${words.slice(0, 3).join(" ")} ended with ${code}`);
  return millis;
}
