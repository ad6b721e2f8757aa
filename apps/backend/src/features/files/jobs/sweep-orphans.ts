import { defineJob } from "../../../platform/jobs/define-job.ts";

const batch = 500;
/** Longer than any call lives: a commit may still adopt a younger object. */
const grace = 24 * 60 * 60 * 1_000;

/** Removes objects of calls that ended before they could commit or clean up, and of contents whose row is gone. */
export default defineJob({
  cron: "17 3 * * *",
  async run({ blobCollection, blobStore, log, machineTime, signal }) {
    const before = new Date(machineTime.getTime() - grace);
    const unfinished = await blobStore.removeUnfinished(before);
    let swept = 0;
    const sweep = async (keys: readonly string[]) => {
      const orphans = await blobCollection.findOrphans(keys);
      await Promise.all(orphans.map((key) => blobStore.remove(key)));
      swept += orphans.length;
    };
    let keys: string[] = [];
    for await (const key of blobStore.list(before)) {
      if (signal?.aborted) return;
      if (keys.push(key) < batch) continue;
      await sweep(keys);
      keys = [];
    }
    await sweep(keys);
    log.info({ swept, unfinished }, "deleted orphaned objects");
  },
});
