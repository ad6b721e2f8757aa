import { expect, test } from "vitest";
import { TenantBatcher } from "./tenant-batcher.ts";

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
  const batcher = new TenantBatcher<string>(async (_transaction, all) => {
    written.push([...all]);
  });
  return { written, batcher };
}

test("writes everything that has accumulated together, by tenant", async () => {
  const { written, batcher } = recorder();
  const one = tenant("one");
  const other = tenant("other");
  batcher.add(one.context, "a");
  batcher.add(other.context, "x");
  batcher.add(one.context, "b");
  await one.flush();
  await other.flush();
  expect(written).toEqual([["a", "b"], ["x"]]);
});

test("a retried transaction writes the same, and nothing that came later", async () => {
  const { written, batcher } = recorder();
  const { context, left, flush } = tenant("one");
  batcher.add(context, "a");
  const [work] = left.splice(0);
  await work?.({} as never);
  batcher.add(context, "b");
  await work?.({} as never);
  await flush();
  expect(written).toEqual([["a"], ["a"], ["b"]]);
});

test("an item replaces an earlier one", async () => {
  const { written, batcher } = recorder();
  const { context, flush } = tenant("one");
  batcher.add(context, "inv");
  batcher.add(context, "report");
  batcher.add(context, "invoice", (other) => "invoice".startsWith(other));
  await flush();
  expect(written).toEqual([["report", "invoice"]]);
});

test("forgets what could not be queued, and tries again with the next item", async () => {
  const { written, batcher } = recorder();
  const full = { transaction: { tenantId: "one" }, later: () => false } as never;
  batcher.add(full, "a");
  const { context, flush } = tenant("one");
  batcher.add(context, "b");
  await flush();
  expect(written).toEqual([["b"]]);
});
