import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface WorkerProcess extends AsyncDisposable {
  pid: number;
  /** Without a chance to finish anything. */
  kill(): Promise<void>;
  /** Processor time since it started. */
  cpuSeconds(): number;
  /** Fails with its log if it has ended. */
  requireAlive(): void;
}

/** The worker as deployed, by default with the local model. */
export async function startWorker(options: {
  databaseUrl: string;
  folder: string;
  embedders?: readonly object[];
  /** Settings that differ from the ones below. */
  environment?: Record<string, string>;
  /** Of its log, if there are several. */
  name?: string;
}): Promise<WorkerProcess> {
  const path = join(options.folder, `${options.name ?? "worker"}.log`);
  const log = openSync(path, "a");
  const before = statSync(path).size;
  const child = spawn(process.execPath, ["apps/backend/src/entrypoints/worker.ts"], {
    stdio: ["ignore", log, log],
    env: {
      ...process.env,
      NODE_ENV: "production",
      SVC_DATABASE_URL: options.databaseUrl,
      SVC_BLOB_FOLDER: join(options.folder, "blobs"),
      SVC_HEALTH_PORT: "0",
      SVC_WORKER_METRICS_PORT: "0",
      SVC_EMBEDDERS: JSON.stringify(options.embedders ?? [{ kind: "local" }]),
      ...options.environment,
    },
  });
  closeSync(log);
  const ended = once(child, "exit");
  const output = () => readFileSync(path, "utf8").slice(before);
  const requireAlive = () => {
    if (child.exitCode !== null) throw new Error(`the worker ended:\n${output()}`);
  };
  while (!output().includes('"working"')) {
    requireAlive();
    await sleep(50);
  }
  const { pid } = child;
  if (pid === undefined) throw new Error("the worker did not start");
  return {
    pid,
    cpuSeconds: () => cpuSecondsOf(pid),
    requireAlive,
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

/** proc(5): user and system time are the 14th and 15th field, in hundredths of a second; the second may have spaces. */
function cpuSecondsOf(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(afterName[11]) + Number(afterName[12])) / 100;
}
