import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../local-server/free-port.ts";

export interface ServerProcess extends AsyncDisposable {
  url: string;
  pid: number;
  /** Without a chance to finish anything. */
  kill(): Promise<void>;
}

/**
 * A server in a separate process, as in production: its cost is not hidden in ours. Its log goes to a file, because
 * writing it is part of the cost of an answer, and reading it would be part of ours.
 */
export async function startServer(options: {
  script: string;
  /** The checkout that the script is of; this one by default. */
  checkout?: string;
  /** A module to load first. */
  preload?: string;
  log: string;
  readyPath: string;
  environment: (port: number) => NodeJS.ProcessEnv;
}): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(options.log, "a");
  const preloaded = options.preload === undefined ? [] : ["--import", options.preload];
  const child = spawn(process.execPath, [...preloaded, options.script], {
    stdio: ["ignore", log, log],
    ...(options.checkout === undefined ? {} : { cwd: options.checkout }),
    env: { ...process.env, ...options.environment(port) },
  });
  closeSync(log);
  const ended = once(child, "exit");
  while (!(await answers(url + options.readyPath))) {
    if (child.exitCode !== null) {
      throw new Error(`${options.script} ended at once:\n${readFileSync(options.log, "utf8")}`);
    }
    await sleep(50);
  }
  if (child.pid === undefined) throw new Error(`${options.script} did not start`);
  return {
    url,
    pid: child.pid,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
