import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tree } from "./trees.ts";

/** A way to bring files to a server and back. */
export interface Rival extends AsyncDisposable {
  name: string;
  isOurs?: true;
  takesFolders: boolean;
  /** Before the first transfer to a place. */
  prepare?(place: string): Promise<void>;
  /** To a place of this name, which may have something already. */
  up(tree: Tree, place: string): Promise<void>;
  /** Into a folder that does not exist yet. */
  down(tree: Tree, place: string, target: string): Promise<void>;
}

/** Runs to its end; the output of a failure is its message. */
export async function runToEnd(
  [program = "", ...words]: readonly string[],
  { environment = {}, accepts = [0] }: { environment?: Record<string, string>; accepts?: number[] } = {},
): Promise<void> {
  const child = spawn(program, words, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, HOME: "/nonexistent", ...environment },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      output = `${output}${part.toString()}`.slice(-2_000);
    });
  const [code] = (await once(child, "close")) as [number | null];
  if (code === null || !accepts.includes(code))
    throw new Error(`${program} ${words.slice(0, 2).join(" ")} ended with ${code}:\n${output}`);
}

/** A server that listens at this port of the loopback soon, and ends with its scope. */
export async function startListener(
  [program = "", ...words]: readonly string[],
  port: number,
): Promise<AsyncDisposable> {
  const child = spawn(program, words, {
    stdio: "ignore",
    env: { PATH: process.env.PATH, HOME: "/nonexistent" },
  });
  const ended = once(child, "exit");
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended at once with ${child.exitCode}`);
    await sleep(50);
  }
  return { [Symbol.asyncDispose]: () => end(child, ended) };
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill("SIGTERM");
  await ended;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
