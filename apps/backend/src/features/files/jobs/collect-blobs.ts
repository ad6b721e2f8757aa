import { defineJob } from "../../../platform/jobs/define-job.ts";

const batch = 100;

/**
 * Deletes contents that lost their last reference a day ago. The row goes first: a crash in between leaves an object
 * that the sweep removes.
 */
export default defineJob({
  cron: "41 * * * *",
  async run({ blobCollection, blobStore, log, signal }) {
    let collected = 0;
    let keys: string[];
    do {
      keys = await blobCollection.collect(batch);
      await Promise.all(keys.map((key) => blobStore.remove(key)));
      collected += keys.length;
    } while (keys.length === batch && !signal?.aborted);
    log.info({ collected }, "deleted unreferenced contents");
  },
});
