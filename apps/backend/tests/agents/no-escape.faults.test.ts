import { loadCatalog } from "@svc/command-router/catalog";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { threeModels } from "../../testing/embedders/word-embedder.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { AgentWorld } from "./agent-world.ts";

/**
 * AI members issue random calls, confirm what they like, steal, replay and race tokens and approvals, and people decide
 * at random. The ledger of the test knows what each token was issued for. SVC_SEED repeats a run.
 */
const sequences = faultSize(20_000, 100, 400);
const inOneWorld = 200;
const seed = runSeed();

let backend: TestBackend;
beforeAll(async () => {
  backend = await TestBackend.start({ embedders: threeModels() });
});
afterAll(() => backend.close());

test("no AI member escapes the gate", { timeout: 3_600_000 }, async () => {
  const catalog = await loadCatalog<CommandContext>(featuresFolder);
  const seen = { calls: 0, commits: 0, replays: 0, asked: 0, approved: 0, approvedCommits: 0, batches: 0 };
  for (let done = 0; done < sequences; done += inOneWorld) {
    const world = await AgentWorld.build(backend, catalog, seed + done);
    const most = Math.min(inOneWorld, sequences - done);
    for (let sequence = 0; sequence < most; sequence += 1) {
      try {
        await world.play();
      } catch (error) {
        const story = world.story.slice(-12).join("\n");
        throw new Error(`escaped, SVC_SEED=${seed}\n${story}\n${(error as Error).message}`, { cause: error });
      }
    }
    await world.compareWithAudit();
    for (const key of Object.keys(seen) as (keyof typeof seen)[]) seen[key] += world.ledger.seen[key];
  }
  // At full size there is everything; a sample has calls and commits.
  const { calls, commits } = seen;
  for (const count of process.env.SVC_FAULTS === "full" ? Object.values(seen) : [calls, commits])
    expect(count, JSON.stringify(seen)).toBeGreaterThan(0);
  process.stdout.write(`no escape: ${sequences} sequences, ${JSON.stringify(seen)}, SVC_SEED=${seed}\n`);
});
