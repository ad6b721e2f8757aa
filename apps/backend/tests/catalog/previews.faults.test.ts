import { loadCatalog } from "@svc/command-router/catalog";
import type { Change } from "@svc/protocol/exchange";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { threeModels } from "../../testing/embedders/word-embedder.ts";
import { RandomWriter } from "../../testing/random-writes/random-writer.ts";
import { writeLines } from "../../testing/random-writes/write-lines.ts";
import { TestBackend } from "../../testing/test-backend.ts";

/** A preview tells the truth: the commit does what it shows, or both are refused alike. */
const runs = faultSize(2_000, 120);
/** Then it goes on until every command has succeeded once. */
const isComplete = process.env.SVC_FAULTS === "full" || process.env.SVC_EVERY_COMMAND !== undefined;
const mostRuns = isComplete ? runs + 2_000 : runs;
const seed = runSeed();

let backend: TestBackend;
beforeAll(async () => {
  backend = await TestBackend.start({ embedders: threeModels() });
});
afterAll(() => backend.close());

test("every command that changes something is in this test", async () => {
  const { commands } = await loadCatalog<CommandContext>(featuresFolder);
  const writing = commands.filter(({ effect }) => effect !== "read").map(({ path }) => path);
  expect(Object.keys(writeLines).sort()).toEqual(writing.sort());
});

test("what a preview shows is what the commit does", { timeout: 1_800_000 }, async () => {
  const writer = await RandomWriter.settle(backend, seed);
  const committed: Record<string, number> = {};
  const differences: unknown[] = [];
  const refused = () => Object.keys(writeLines).filter((path) => !committed[path]);
  let deck: string[] = [];
  let run = 0;
  for (; run < runs || (run < mostRuns && refused().length > 0); run += 1) {
    // At the end every other line is one that has never succeeded: it needs what others create and what is rarely
    // removed.
    const isPlayed = (path: string) =>
      run < runs || !/ (delete|purge|undo)$/.test(path) || writer.dice.throw() < 0.25;
    if (deck.length === 0) deck = writer.dice.shuffle(Object.keys(writeLines).filter(isPlayed));
    const path = (run >= runs && run % 2 === 0 ? writer.dice.pick(refused()) : deck.pop()) as string;
    const line = writer.line(path);
    const preview = await writer.type(line, "--dry-run");
    const token = preview.body.preview?.token ?? "true";
    // With its token or without: both are ways to go ahead.
    const commit = await writer.type(line, "--confirm", run % 2 === 0 ? token : "true");
    const shown = preview.body.preview?.changes ?? preview.body.code;
    const done = commit.status === 200 ? withoutNewIds(await lastChanges(writer), shown) : commit.body.code;
    if (JSON.stringify(shown) !== JSON.stringify(done))
      differences.push({ line: line.argv.join(" "), shown, done });
    if (commit.body.code === "not_found") writer.things.forget(line.argv);
    if (commit.status !== 200) continue;
    committed[path] = (committed[path] ?? 0) + 1;
    writer.things.learn(path, line.argv, commit.body.data, commit.body.operation);
  }
  expect(differences, `SVC_SEED=${seed} makes the same calls`).toEqual([]);
  // A command that was always refused was not tested.
  if (isComplete) expect(refused(), `SVC_SEED=${seed} makes the same calls`).toEqual([]);
  const total = Object.values(committed).reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `previews: ${run} runs, ${total} committed as shown, 0 differences, SVC_SEED=${seed}\n`,
  );
});

/** What a line of a batch changes may be new, so that a preview has no id of it. */
function withoutNewIds(done: readonly Change[], shown: readonly Change[] | string | undefined) {
  return done.map((change, index) => {
    const { id, ...nameless } = change;
    return Array.isArray(shown) && shown[index]?.id === undefined ? nameless : change;
  });
}

/** From the audit log: what really happened, in its transaction. */
async function lastChanges({ tenant }: RandomWriter): Promise<readonly Change[]> {
  const scope = { tenantId: tenant.id, actorId: tenant.id };
  const row = await backend.database.withTenant(scope, "read", ({ db }) =>
    db
      .selectFrom("app.audit")
      .select("entry")
      .where("tenant_id", "=", tenant.id)
      .where("outcome", "=", "committed")
      // A batch has all changes of its lines.
      .where(sql<boolean>`entry ->> 'line' is null`)
      .orderBy("sequence", "desc")
      .limit(1)
      .executeTakeFirstOrThrow(),
  );
  return (row.entry as unknown as { changes: Change[] }).changes;
}
