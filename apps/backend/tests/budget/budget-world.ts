import { randomUUID } from "node:crypto";
import type { Database, TenantTransaction } from "@svc/database/database";
import { sql } from "kysely";
import { expect } from "vitest";
import {
  expireHolds,
  lockLimit,
  monthsWithExpiredHolds,
  saveLimit,
} from "../../src/features/budget/budget-store.ts";
import { type Hold, release, reserve, settle } from "../../src/features/budget/holds.ts";
import type { Dice } from "../../testing/dice.ts";
import { readMonths, readTruth } from "./budget-truth.ts";

/** Chosen so that many requests fit, many do not, and some fit exactly. */
const defaultLimitMicros = 100n;
/** Some minutes before a month ends; holds run out within a run, and some are settled in the next month. */
const start = Date.UTC(2026, 10, 30, 23, 48);

class Death extends Error {}

interface KnownHold extends Hold {
  /** The month of the reservation, by the clock of the world. */
  month: string;
  /** The amounts that callers reported as booked. */
  booked: bigint[];
  /** Somebody was told that it was already settled. */
  isTurnedAway: boolean;
}

/** A tenant, its clock, and what its workers were told. Any number of workers can take steps at the same time. */
export class BudgetWorld {
  readonly counts: Record<string, number> = {};
  readonly #tenantId = randomUUID();
  readonly #databases: readonly Database[];
  readonly #dice: Dice;
  readonly #holds: KnownHold[] = [];
  readonly #crossed: { month: string; percent: 80 | 100 }[] = [];
  /** Limits that may have applied while something was reserved. */
  #highestLimit = defaultLimitMicros;
  #time = start;
  readonly #steps: readonly { name: string; often: number; take: () => Promise<void> }[] = [
    { name: "reserve", often: 8, take: () => this.#reserve() },
    { name: "settle", often: 6, take: () => this.#settle() },
    { name: "settle twice at once", often: 1, take: () => this.#settleTwice() },
    { name: "release", often: 1, take: () => this.#release() },
    { name: "expire", often: 1, take: () => this.#expire() },
    { name: "set limit", often: 1, take: () => this.#setLimit() },
    { name: "look", often: 1, take: () => this.#look() },
  ];

  constructor(databases: readonly Database[], dice: Dice) {
    this.#databases = databases;
    this.#dice = dice;
  }

  async takeStep(): Promise<void> {
    this.#time += Math.floor(this.#dice.throw() * 60_000);
    const deck = this.#steps.flatMap((step) => Array.from({ length: step.often }, () => step));
    const { name, take } = this.#dice.pick(deck) as (typeof deck)[number];
    try {
      await take();
      this.#count(name);
    } catch (error) {
      if (!(error instanceof Death)) throw error;
      this.#count(`${name}, died of`);
    }
  }

  async #reserve(): Promise<void> {
    const now = new Date(this.#time);
    const micros = BigInt(Math.floor(this.#dice.throw() * 40));
    const { reserved, truth } = await this.#transact(async (transaction) => {
      const reserved = await this.#reserveNow(transaction, micros, now);
      return { reserved, truth: await readTruth(transaction, monthOf(now), defaultLimitMicros) };
    });
    const used = truth.ledger + truth.held;
    if (reserved.hold) {
      expect(used, "what is reserved is within the limit").toBeLessThanOrEqual(truth.limit);
      this.#holds.push({ ...reserved.hold, month: monthOf(now), booked: [], isTurnedAway: false });
      return;
    }
    this.#count("refused");
    expect(used + micros, "what fits is not refused").toBeGreaterThan(truth.limit);
    const left = truth.limit > used ? truth.limit - used : 0n;
    // An amount above the whole limit is refused without waiting for others.
    if (micros <= truth.limit) expect(reserved).toMatchObject({ leftMicros: left, heldMicros: truth.held });
  }

  #reserveNow(transaction: TenantTransaction, micros: bigint, now: Date) {
    const purpose = this.#dice.throw() < 0.5 ? "document" : "query";
    return reserve(transaction, { purpose, micros, now, defaultLimitMicros });
  }

  /** Anybody's hold, ended or not, in time or late. */
  async #settle(): Promise<void> {
    const hold = this.#dice.pick(this.#holds);
    if (hold) await this.#settleOne(hold);
  }

  async #settleTwice(): Promise<void> {
    const hold = this.#dice.pick(this.#holds);
    if (!hold) return;
    const ends = await Promise.allSettled([this.#settleOne(hold), this.#settleOne(hold)]);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #settleOne(hold: KnownHold): Promise<void> {
    const chance = this.#dice.throw();
    const part = BigInt(Math.floor(this.#dice.throw() * Number(hold.micros + 1n)));
    const micros = chance < 0.15 ? undefined : chance < 0.3 ? hold.micros + part : part;
    const actual = { micros, tokens: 10, model: "a model", calls: 1, now: new Date(this.#time) };
    const settled = await this.#transact((transaction) => settle(transaction, hold, actual));
    if (!settled.isBooked) {
      hold.isTurnedAway = true;
      return this.#count("settled before");
    }
    const cost = micros ?? hold.micros;
    const excess = cost > hold.micros ? cost - hold.micros : 0n;
    const booked = cost - excess;
    expect(settled).toMatchObject({ micros: booked, excessMicros: excess });
    hold.booked.push(booked);
    if (actual.now > hold.expiresAt) this.#count("settled late");
    if (monthOf(actual.now) !== hold.month) this.#count("settled in another month");
    this.#noteCrossing(hold.month, settled.crossed);
  }

  async #release(): Promise<void> {
    const hold = this.#dice.pick(this.#holds);
    if (!hold) return;
    const now = new Date(this.#time);
    if (await this.#transact((transaction) => release(transaction, hold, now))) hold.booked.push(0n);
  }

  async #expire(): Promise<void> {
    const now = new Date(this.#time);
    const [database = this.#anyDatabase()] = this.#databases;
    const months = await monthsWithExpiredHolds(database, now, 100);
    for (const { tenantId, month } of months.filter((found) => found.tenantId === this.#tenantId)) {
      const expired = await database.withTenant({ tenantId, actorId: tenantId }, "write", (transaction) =>
        expireHolds(transaction, month, now),
      );
      this.#count("holds expired", expired.holds);
      this.#noteCrossing(month, expired.crossed);
    }
  }

  async #setLimit(): Promise<void> {
    const limitMicros = BigInt(Math.floor(this.#dice.throw() * 200));
    if (limitMicros > this.#highestLimit) this.#highestLimit = limitMicros;
    const month = monthOf(new Date(this.#time));
    await this.#transact(async (transaction) => {
      const { version } = await lockLimit(transaction);
      await saveLimit(transaction, { limitMicros, version: version + 1 }, { month, defaultLimitMicros });
    });
  }

  /** True at any time, in one snapshot of the database. */
  async #look(): Promise<void> {
    const scope = { tenantId: this.#tenantId, actorId: this.#tenantId };
    const rows = await this.#anyDatabase().withTenant(scope, "read", (transaction) =>
      readMonths(transaction),
    );
    for (const { spent, reserved, ledger, held } of rows) {
      expect({ spent, reserved }, "the sums are those of the ledger").toEqual({
        spent: ledger,
        reserved: held,
      });
      expect(ledger + held, "never more than any limit allowed").toBeLessThanOrEqual(
        Number(this.#highestLimit),
      );
    }
  }

  /** When all workers have stopped, and open holds have expired. */
  async end(): Promise<void> {
    this.#time += 11 * 60_000;
    await this.#expire();
    await this.#look();
    const scope = { tenantId: this.#tenantId, actorId: this.#tenantId };
    await this.#anyDatabase().withTenant(scope, "rollback", async (transaction) => {
      await this.#expectLedger(transaction);
      await this.#expectAlerts(transaction);
      await this.#spendTheRest(transaction);
    });
  }

  async #expectLedger({ db, tenantId }: TenantTransaction): Promise<void> {
    const { rows } = await sql<{ id: string; month: string; micros: number }>`
      select id, month::text, micros from app.ai_spend where tenant_id = ${tenantId} order by id`.execute(db);
    const expected = this.#holds.map(({ id, month, micros, booked, isTurnedAway }) => {
      expect(booked.length, "booked once").toBeLessThanOrEqual(1);
      if (isTurnedAway) expect(booked.length, "the first settlement counts, however late").toBe(1);
      // A worker that disappeared may have called.
      return { id, month, micros: Number(booked[0] ?? micros) };
    });
    expect(rows).toEqual(expected.sort((one, other) => (one.id < other.id ? -1 : 1)));
  }

  async #expectAlerts(transaction: TenantTransaction): Promise<void> {
    for (const { month, alerted } of await readMonths(transaction)) {
      const told = this.#crossed.filter((crossing) => crossing.month === month).map(({ percent }) => percent);
      expect(new Set(told).size, "told once").toBe(told.length);
      // Crossing both at once reports the higher one.
      expect(alerted, "what was told is recorded").toBe(
        told.includes(100) ? 100 : told.includes(80) ? 80 : 0,
      );
    }
  }

  /** Nothing is lost: the rest can be reserved to the last unit, and no more. */
  async #spendTheRest(transaction: TenantTransaction): Promise<void> {
    const now = new Date(this.#time);
    const { limit, ledger } = await readTruth(transaction, monthOf(now), defaultLimitMicros);
    const left = limit - ledger;
    if (left > 0n)
      expect((await this.#reserveNow(transaction, left, now)).hold, "the rest can be had").toBeDefined();
    expect(await this.#reserveNow(transaction, 1n, now), "and no more").toMatchObject({ leftMicros: 0n });
  }

  /** One in eight dies before its commit. */
  async #transact<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    const dies = this.#dice.throw() < 0.125;
    const scope = { tenantId: this.#tenantId, actorId: this.#tenantId };
    return this.#anyDatabase().withTenant(scope, "write", async (transaction) => {
      const done = await work(transaction);
      if (dies) throw new Death();
      return done;
    });
  }

  #anyDatabase(): Database {
    return this.#dice.pick(this.#databases) as Database;
  }

  #noteCrossing(month: string, percent: 80 | 100 | undefined): void {
    if (percent) this.#crossed.push({ month, percent });
  }

  #count(what: string, times = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + times;
  }
}

/** Computed independently of the feature. */
function monthOf(now: Date): string {
  return now.getTime() < Date.UTC(2026, 11, 1) ? "2026-11-01" : "2026-12-01";
}
