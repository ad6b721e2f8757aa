import { Database } from "@svc/database/database";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { afterAll, beforeAll, expect, test } from "vitest";
import { threeModels } from "../../testing/embedders/word-embedder.ts";
import { RandomWriter } from "../../testing/random-writes/random-writer.ts";
import { writeLines } from "../../testing/random-writes/write-lines.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { readTenantState } from "./tenant-state.ts";

/**
 * Random writes, each undone in reverse: after every single undo, everything is as before. Some undos are undone and
 * repeated at once; at the end all are redone one after the other.
 */
const sequences = faultSize(150, 2);
const writesEach = 25;
const seed = runSeed();
/** These cannot be undone, and therefore return no operation; undo itself is undone below. */
const left = new Set([
  "trash purge",
  "operations undo",
  "tokens create",
  "tokens rotate",
  "tokens revoke",
  "sessions open",
  "sessions end",
  "search reindex",
  "embeddings run",
  "embeddings retry",
  "approvals approve",
  "approvals deny",
  "approvals ask",
  "approvals answer",
]);

let backend: TestBackend;
let admin: Database;
beforeAll(async () => {
  backend = await TestBackend.start({ embedders: threeModels() });
  admin = new Database({ url: backend.testDatabase.adminUrl, maxConnections: 1 });
});
afterAll(async () => {
  await admin.close();
  await backend.close();
});

test("undone in reverse, every write leaves things as they were", { timeout: 1_800_000 }, async () => {
  const undone: Record<string, number> = {};
  for (let sequence = 0; sequence < sequences; sequence += 1) {
    const writer = await RandomWriter.settle(backend, seed + sequence);
    await takeTurn(writer, undone);
  }
  const paths = Object.keys(writeLines).filter((path) => !left.has(path));
  // In a sample some may always be refused; at full size none.
  const never = paths.filter((path) => !undone[path]);
  if (process.env.SVC_FAULTS === "full") expect(never, `SVC_SEED=${seed}`).toEqual([]);
  const total = Object.values(undone).reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `undo: ${total} writes undone, ${never.length} of ${paths.length} commands never, in ${sequences} sequences, SVC_SEED=${seed}\n`,
  );
});

const ifAny = <T>(few: readonly T[], all: readonly T[]) => (few.length > 0 ? few : all);

async function takeTurn(writer: RandomWriter, undone: Record<string, number>): Promise<void> {
  const { tenant, dice, things } = writer;
  const paths = Object.keys(writeLines).filter((path) => !left.has(path));
  const done: { path: string; line: string; operation: string; before: string[] }[] = [];
  const isNew = (path: string) => !undone[path] && !done.some((each) => each.path === path);
  for (let attempt = 0; attempt < writesEach * 3 && done.length < writesEach; attempt += 1) {
    // Every other time one that was not undone yet, so that a sample has nearly all of them.
    const path = dice.pick(attempt % 2 === 0 ? ifAny(paths.filter(isNew), paths) : paths) as string;
    const line = writer.line(path);
    const before = await readTenantState(admin, tenant.id);
    const { status, body } = await writer.type(line);
    if (status !== 200) continue;
    things.learn(path, line.argv, body.data, body.operation);
    const words = line.argv.join(" ");
    // The same content put again changes nothing; whatever changes something can be undone.
    if (body.operation === undefined)
      expect(await readTenantState(admin, tenant.id), `${words}, SVC_SEED=${seed}`).toEqual(before);
    else done.push({ path, line: words, operation: body.operation, before });
  }
  const lines = done.map(({ line }) => line);
  const undo = async (operation: string, what: string, expected: readonly string[]): Promise<string> => {
    const { status, body } = await backend.type(tenant.token, ["operations", "undo", operation]);
    const story = `SVC_SEED=${seed}, ${what}\nafter:\n${lines.join("\n")}`;
    expect(status, `${body.detail} ${story}`).toBe(200);
    expect(await readTenantState(admin, tenant.id), story).toEqual(expected);
    return body.operation ?? "";
  };
  let after = await readTenantState(admin, tenant.id);
  const redos: { line: string; operation: string; after: string[] }[] = [];
  for (const { path, line, operation, before } of done.toReversed()) {
    let operationToRedo = await undo(operation, `undo of: ${line}`, before);
    if (dice.throw() < 0.3) {
      const redone = await undo(operationToRedo, `redo of: ${line}`, after);
      operationToRedo = await undo(redone, `second undo of: ${line}`, before);
    }
    redos.push({ line, operation: operationToRedo, after });
    undone[path] = (undone[path] ?? 0) + 1;
    after = before;
  }
  for (const redo of redos.toReversed())
    await undo(redo.operation, `redo in turn of: ${redo.line}`, redo.after);
}
