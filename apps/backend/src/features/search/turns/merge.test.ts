import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { FilesTown } from "../../../../testing/files-test.ts";
import { ask, test, titles } from "../../../../testing/search-test.ts";
import { asAdmin, runTurns } from "../../../../testing/worker-test.ts";
import merge from "./merge.ts";

/** What was written so many seconds ago, and is not merged yet. */
function waiting(town: FilesTown, seconds = 0): Promise<number> {
  return asAdmin(town, async (admin) => {
    const { rows } = await admin.query(
      "select count(*)::int from app.search_place_delta where at <= now() - make_interval(secs => $1)",
      [seconds],
    );
    return rows[0].count;
  });
}

async function makeOld(town: FilesTown, seconds: number): Promise<void> {
  await asAdmin(town, (admin) =>
    admin.query("update app.search_place_delta set at = at - make_interval(secs => $1)", [seconds]),
  );
}

test("a worker merges what was written a while ago, and everything is found before and after", async ({
  town,
}) => {
  await town.put("/a.txt", "apples");
  await runTurns(town.backend, merge);
  expect(await waiting(town)).toBeGreaterThan(0);
  expect(titles(await ask(town, town.owner, "apples"))).toEqual(["a.txt"]);
  await makeOld(town, 31);
  await runTurns(town.backend, merge);
  expect(await waiting(town)).toBe(0);
  expect(titles(await ask(town, town.owner, "apples"))).toEqual(["a.txt"]);
});

test("without a worker, a process that writes merges after its answer", async ({ town }) => {
  await town.put("/a.txt", "apples");
  await makeOld(town, 90);
  expect(await waiting(town, 60)).toBeGreaterThan(0);
  // A process looks once in five seconds.
  const putAnother = async () => {
    await town.put("/b.txt", `pears ${randomUUID()}`);
    return waiting(town, 60);
  };
  await expect.poll(putAnother, { interval: 500 }).toBe(0);
  expect(titles(await ask(town, town.owner, "apples"))).toEqual(["a.txt"]);
});
