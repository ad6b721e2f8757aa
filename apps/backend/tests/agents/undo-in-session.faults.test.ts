import { loadCatalog } from "@svc/command-router/catalog";
import { headers } from "@svc/protocol/headers";
import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { afterAll, beforeAll, expect, test } from "vitest";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { RandomWriter } from "../../testing/random-writes/random-writer.ts";
import { type CliReply, TestBackend } from "../../testing/test-backend.ts";

const attemptsAtMost = faultSize(3_000, 600);
const seed = runSeed();
const inSession = { headers: { [headers.sessionTicket]: "any" } };

let backend: TestBackend;
beforeAll(async () => {
  backend = await TestBackend.start();
});
afterAll(() => backend.close());

/** An AI member's own operations are never of this kind; an administrator's session would be the way around. */
test("nobody in an AI session can undo or redo what is left to people", async () => {
  const { commands } = await loadCatalog(featuresFolder);
  const waiting = new Set(
    commands.filter(({ reach, undo }) => reach === "outward" && undo).map(({ path }) => path),
  );
  expect(waiting).toContain("administrators remove");
  const kinds = waiting.size;
  const writer = await RandomWriter.settle(backend, seed);
  // Includes something with its own access list.
  const paths = [...waiting, "files mkdir"];
  for (let attempt = 0; attempt < attemptsAtMost && waiting.size > 0; attempt += 1) {
    const { dice, things } = writer;
    const path = dice.pick(dice.throw() < 0.6 ? [...waiting] : paths) as string;
    const line = writer.line(path);
    const { status, body } = await writer.type(line);
    if (status === 404) things.forget(line.argv);
    if (status !== 200) continue;
    things.learn(path, line.argv, body.data, body.operation);
    if (!waiting.delete(path)) continue;
    await expectLeftToPeople(writer, path, body.operation);
    const undone = await backend.type(writer.tenant.token, `operations undo ${body.operation}`);
    expect([path, undone.status]).toEqual([path, 200]);
    await expectLeftToPeople(writer, `undo of ${path}`, undone.body.operation);
  }
  // A sample may miss some by luck.
  const mayWait = faultSize(0, Math.floor(kinds / 2));
  expect(waiting.size, `never accepted, SVC_SEED=${seed}: ${[...waiting]}`).toBeLessThanOrEqual(mayWait);
});

async function expectLeftToPeople(
  { tenant }: RandomWriter,
  what: string,
  operation: string | undefined,
): Promise<void> {
  const undo = (...more: string[]): Promise<CliReply> =>
    backend.type(tenant.token, ["operations", "undo", operation ?? "", ...more], inSession);
  const first = await undo();
  expect([what, first.status, first.body.detail]).toEqual([
    what,
    403,
    expect.stringMatching(/^AI members cannot (run|undo) `svc /),
  ]);
  for (const more of [["--dry-run"], ["--confirm", "true"], ["--confirm", "preview_none"]]) {
    expect([what, more, (await undo(...more)).body.code]).not.toEqual([what, more, undefined]);
  }
}
