import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { test } from "../../../../testing/backend-test.ts";
import { WordEmbedder } from "../../../../testing/embedders/word-embedder.ts";
import { runJob } from "../../../../testing/worker-test.ts";
import { Embedders } from "../../../platform/search/embedders.ts";
import job from "./run.ts";

test("embeds a tenant in two lanes, and ends when nothing is left", async ({ backend }) => {
  const { token } = await backend.addTenant();
  await backend.run(token, "workspaces create Reports");
  await backend.run(token, "workspaces update reports --semantic-search on");
  // More than one group of files, so that both lanes have work.
  for (let index = 0; index < 40; index += 1) {
    await backend.send(token, `files put local /${index}.txt --workspace reports`, `File ${index}.`);
  }
  const { operation } = await backend.run<{ operation: string }>(token, "embeddings run");
  const model = new WordEmbedder({
    onCall: async () => {
      calls.now += 1;
      calls.most = Math.max(calls.most, calls.now);
      await sleep(300);
      calls.now -= 1;
    },
  });
  const calls = { now: 0, most: 0 };
  await runJob(backend, job, { embedders: new Embedders([model.priced]) });
  expect(calls.most).toBe(2);
  expect(model.asked).toHaveLength(40);
  const { state } = await backend.run<{ state: string }>(token, `operations show ${operation}`);
  expect(state).toBe("done");
});
