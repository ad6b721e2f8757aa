import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

const never = new AbortController().signal;

test("at most so many at once, the others in the order in which they came", async () => {
  const turns = new Turns(1);
  const order: string[] = [];
  const first = await turns.take(never);
  const second = turns.take(never).then((giveBack) => {
    order.push("second");
    giveBack?.();
  });
  const third = turns.take(never).then(() => order.push("third"));
  await Promise.resolve();
  expect(order).toEqual([]);
  first?.();
  await Promise.all([second, third]);
  expect(order).toEqual(["second", "third"]);
});

test("who leaves gets no turn and takes nobody's", async () => {
  const turns = new Turns(1);
  const first = await turns.take(never);
  const leaving = new AbortController();
  const second = turns.take(leaving.signal);
  const third = turns.take(never);
  leaving.abort();
  expect(await second).toBeUndefined();
  first?.();
  expect(await third).toBeTypeOf("function");
  expect(await turns.take(AbortSignal.abort())).toBeUndefined();
});
