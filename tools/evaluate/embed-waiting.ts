import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type } from "../bench/file-caller.ts";
import type { Api } from "./put-documents.ts";

const pollMillis = 500;

/** All that waits is embedded by the worker as it is deployed, with the local model. */
export async function embedWaiting(
  api: Api,
  { databaseUrl, folder }: { databaseUrl: string; folder: string },
): Promise<void> {
  await type(api, "embeddings run");
  const log = openSync(join(folder, "worker.log"), "a");
  const worker = spawn(process.execPath, ["apps/backend/src/entrypoints/worker.ts"], {
    stdio: ["ignore", log, log],
    env: {
      ...process.env,
      SVC_DATABASE_URL: databaseUrl,
      SVC_BLOB_FOLDER: join(folder, "blobs"),
      SVC_EMBEDDERS: JSON.stringify([{ kind: "local" }]),
    },
  });
  closeSync(log);
  const ended = once(worker, "exit");
  while ((await countWaiting(api)) > 0) {
    if (worker.exitCode !== null) throw new Error(`the worker ended; its log is ${folder}/worker.log`);
    await sleep(pollMillis);
  }
  worker.kill("SIGTERM");
  await ended;
}

async function countWaiting(api: Api): Promise<number> {
  const { data } = await type(api, "embeddings status --limit 200");
  const { items } = data as unknown as { items: { waiting: number }[] };
  return items.reduce((sum, { waiting }) => sum + waiting, 0);
}
