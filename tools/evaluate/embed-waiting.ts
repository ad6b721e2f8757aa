import { setTimeout as sleep } from "node:timers/promises";
import { type } from "../bench/file-caller.ts";
import { startWorker } from "../bench/processes/worker-process.ts";
import type { Api } from "./put-documents.ts";

const pollMillis = 500;

/** The worker, as deployed, embeds all waiting files with the local model. */
export async function embedWaiting(api: Api, options: Parameters<typeof startWorker>[0]): Promise<void> {
  await type(api, "embeddings run");
  await using worker = await startWorker(options);
  while ((await countWaiting(api)) > 0) {
    worker.requireAlive();
    await sleep(pollMillis);
  }
}

async function countWaiting(api: Api): Promise<number> {
  const { data } = await type(api, "embeddings status --limit 200");
  const { items } = data as unknown as { items: { waiting: number }[] };
  return items.reduce((sum, { waiting }) => sum + waiting, 0);
}
