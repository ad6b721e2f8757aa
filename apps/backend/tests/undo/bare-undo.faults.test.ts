import { faultSize } from "@svc/testing/fault-size";
import { runSeed } from "@svc/testing/run-seed";
import { expect } from "vitest";
import { test } from "../../testing/backend-test.ts";
import { Dice } from "../../testing/dice.ts";
import { UndoHistory } from "./undo-history.ts";

/** Two people with two tokens each work in one workspace, undo without an id, and redo by the printed end. */
const histories = faultSize(200, 4, 3);
const stepsEach = 40;
const seed = runSeed();

test("bare undo takes back the latest of one credential and nothing else", { timeout: 1_800_000 }, async ({
  backend,
  tenant,
}) => {
  const tally = { undone: 0, redone: 0, refused: 0, nothing: 0 };
  for (let index = 0; index < histories; index += 1) {
    const dice = new Dice(seed + index);
    const history = await UndoHistory.begin(backend, tenant, `Shared ${index}`);
    for (let step = 0; step < stepsEach; step += 1) {
      const chance = dice.throw();
      const who = history.pick(dice);
      if (chance < 0.4) await history.create(who);
      else if (chance < 0.55) await history.rename(who, dice);
      else if (chance < 0.8) await history.undoLatest(who, tally);
      else if (chance < 0.93) await history.redo(who, dice, tally);
      else await history.tryUndoOfOthers(who, dice);
      await history.expectAsModelled(`SVC_SEED=${seed + index}`);
    }
  }
  expect(Math.min(tally.undone, tally.redone, tally.nothing)).toBeGreaterThan(0);
  process.stdout.write(`bare undo: ${JSON.stringify(tally)} in ${histories}, SVC_SEED=${seed}\n`);
});
