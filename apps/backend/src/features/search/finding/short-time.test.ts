import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { ask, test, titles } from "../../../../testing/search-test.ts";
import { asAdmin } from "../../../../testing/worker-test.ts";
import { timeLimits } from "./time-limits.ts";

const usual = { ...timeLimits };

test("a search that runs out of time still finds texts, and says that it is partial", async ({
  town,
  onTestFinished,
}) => {
  await town.put("/fruit.txt", "apples and pears");
  onTestFinished(() => void Object.assign(timeLimits, usual));
  Object.assign(timeLimits, { millis: 300, shortMillis: 20_000 });
  const answer = await asAdmin(town, async (admin) => {
    // Whoever reads the index waits until this ends.
    await admin.query("begin; lock table app.search_document in access exclusive mode");
    const asking = ask(town, town.owner, "pears");
    await sleep(2_000);
    await admin.query("commit");
    return asking;
  });
  expect(titles(answer)).toEqual(["fruit.txt"]);
  expect(answer).toMatchObject({ partial: true, order: "approximate", total: { value: 1, relation: "gte" } });
});
