import { expect } from "vitest";
import { ask, test, titles } from "../../../../testing/search-test.ts";
import { untilSent } from "../../../../testing/statements-of.ts";
import { asAdmin } from "../../../../testing/worker-test.ts";
import { timeLimits } from "./time-limits.ts";

const usual = { ...timeLimits };

test("a search that runs out of time still finds texts, and says that it is partial", async ({
  town,
  onTestFinished,
}) => {
  await town.put("/fruit.txt", "apples and pears");
  onTestFinished(() => void Object.assign(timeLimits, usual));
  Object.assign(timeLimits, { millis: 1_000, shortMillis: 600_000 });
  const answer = await asAdmin(town, async (admin) => {
    // Whoever reads the index waits until this ends.
    await admin.query("begin; lock table app.search_document in access exclusive mode");
    // Correcting its words, then finding the page.
    const outOfTime = untilSent(2, /rollback to savepoint searching/);
    const asking = ask(town, town.owner, "pears");
    await outOfTime;
    await admin.query("commit");
    return asking;
  });
  expect(titles(answer)).toEqual(["fruit.txt"]);
  expect(answer).toMatchObject({ partial: true, order: "approximate", total: { value: 1, relation: "gte" } });
});
