import { expect, test } from "vitest";
import { Together } from "./together.ts";

type Work = (transaction: never) => Promise<void>;

function tenant(tenantId: string) {
  const left: Work[] = [];
  const context = { transaction: { tenantId }, later: (work: Work) => left.push(work) > 0 } as never;
  const flush = async () => {
    for (const work of left.splice(0)) await work({} as never);
  };
  return { context, left, flush };
}

function recorder() {
  const written: string[][] = [];
  const together = new Together<string>(async (_transaction, all) => {
    written.push([...all]);
  });
  return { written, together };
}

test("writes everything that has accumulated together, by tenant", async () => {
  const { written, together } = recorder();
  const one = tenant("one");
  const other = tenant("other");
  together.add(one.context, "a");
  together.add(other.context, "x");
  together.add(one.context, "b");
  await one.flush();
  await other.flush();
  expect(written).toEqual([["a", "b"], ["x"]]);
});

test("a retried transaction writes the same, and nothing that came later", async () => {
  const { written, together } = recorder();
  const { context, left, flush } = tenant("one");
  together.add(context, "a");
  const [work] = left.splice(0);
  await work?.({} as never);
  together.add(context, "b");
  await work?.({} as never);
  await flush();
  expect(written).toEqual([["a"], ["a"], ["b"]]);
});

test("an item replaces an earlier one", async () => {
  const { written, together } = recorder();
  const { context, flush } = tenant("one");
  together.add(context, "inv");
  together.add(context, "report");
  together.add(context, "invoice", (other) => "invoice".startsWith(other));
  await flush();
  expect(written).toEqual([["report", "invoice"]]);
});

test("forgets what could not be queued, and tries again with the next item", async () => {
  const { written, together } = recorder();
  const full = { transaction: { tenantId: "one" }, later: () => false } as never;
  together.add(full, "a");
  const { context, flush } = tenant("one");
  together.add(context, "b");
  await flush();
  expect(written).toEqual([["b"]]);
});
