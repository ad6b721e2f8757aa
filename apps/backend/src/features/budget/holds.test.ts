import type { TenantTransaction } from "@svc/database/database";
import { expect } from "vitest";
import { test as base } from "../../../testing/backend-test.ts";
import { expireHolds } from "./budget-store.ts";
import { type Hold, release, reserve, settle } from "./holds.ts";

const now = new Date("2026-11-30T23:55:00Z");
const nextMonth = new Date("2026-12-01T00:20:00Z");
const defaultLimitMicros = 100n;

/** Runs in a tenant transaction that is rolled back. */
const test = base.extend<{ transaction: TenantTransaction }>({
  transaction: async ({ backend, tenant }, use) => {
    const scope = { tenantId: tenant.id, actorId: tenant.id };
    await backend.database.withTenant(scope, "rollback", (transaction) => use(transaction));
  },
});

function ask(transaction: TenantTransaction, micros: bigint, at = now) {
  return reserve(transaction, { purpose: "document", micros, now: at, defaultLimitMicros });
}

async function hold(transaction: TenantTransaction, micros: bigint, at = now): Promise<Hold> {
  const { hold } = await ask(transaction, micros, at);
  if (!hold) throw new Error("refused");
  return hold;
}

function cost(micros: bigint | undefined, at = now) {
  return { micros, tokens: 1, model: "a model", calls: 1, now: at };
}

test("holds what fits to the last unit, and says what is left if it does not fit", async ({
  transaction,
}) => {
  await hold(transaction, 60n);
  const renewsAt = new Date("2026-12-01T00:00:00Z");
  expect(await ask(transaction, 41n)).toEqual({ leftMicros: 40n, heldMicros: 60n, renewsAt });
  await hold(transaction, 40n);
  expect(await ask(transaction, 1n)).toMatchObject({ leftMicros: 0n, heldMicros: 100n });
  // A free call needs no budget.
  await hold(transaction, 0n);
});

test("gives back what a call did not cost, and everything if no call was made", async ({ transaction }) => {
  const settled = await settle(transaction, await hold(transaction, 100n), cost(30n));
  expect(settled).toEqual({ isBooked: true, micros: 30n, excessMicros: 0n, crossed: undefined });
  const unused = await hold(transaction, 70n);
  expect(await release(transaction, unused, now)).toBe(true);
  expect(await release(transaction, unused, now)).toBe(false);
  await hold(transaction, 70n);
});

test("books an unknown cost and one above the reservation as the reservation", async ({ transaction }) => {
  const unknown = await settle(transaction, await hold(transaction, 50n), cost(undefined));
  expect(unknown).toMatchObject({ micros: 50n, excessMicros: 0n });
  const dear = await settle(transaction, await hold(transaction, 50n), cost(70n));
  expect(dear).toEqual({ isBooked: true, micros: 50n, excessMicros: 20n, crossed: 100 });
});

test("books once, however often it is settled", async ({ transaction }) => {
  const held = await hold(transaction, 50n);
  await settle(transaction, held, cost(50n));
  const again = await settle(transaction, held, cost(10n));
  expect(again).toEqual({ isBooked: false, micros: 0n, excessMicros: 0n, crossed: undefined });
  expect(await release(transaction, held, now)).toBe(false);
  expect(await ask(transaction, 51n)).toMatchObject({ leftMicros: 50n });
});

test("an expired hold is spent in its month, and settled late it is corrected there", async ({
  transaction,
}) => {
  const held = await hold(transaction, 90n);
  expect(await expireHolds(transaction, "2026-11-01", now)).toMatchObject({ holds: 0 });
  const expired = await expireHolds(transaction, "2026-11-01", nextMonth);
  expect(expired).toEqual({ holds: 1, micros: 90n, crossed: 80 });
  expect(await ask(transaction, 11n)).toMatchObject({ leftMicros: 10n, heldMicros: 0n });
  expect(await settle(transaction, held, cost(20n, nextMonth))).toMatchObject({
    isBooked: true,
    micros: 20n,
  });
  expect(await ask(transaction, 81n)).toMatchObject({ leftMicros: 80n });
  await hold(transaction, 100n, nextMonth);
});
