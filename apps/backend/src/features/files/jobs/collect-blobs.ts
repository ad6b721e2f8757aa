import { defineJob } from "../../../platform/jobs/define-job.ts";

const batch = 100;

/** Contents that lost their last reference a day ago. Row first: a crash in between leaves an object that is swept. */
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
    log.info({ collected }, "collected contents that nobody refers to");
  },
});
