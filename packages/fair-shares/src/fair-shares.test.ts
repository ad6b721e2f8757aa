import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairShares, type FairSharesOptions, type Share } from "./fair-shares.ts";
import { ShareRefused } from "./share-refused.ts";

/** Callers of one `FairShares`: each holds its slot until it is told to leave. */
class Crowd {
  readonly shares: FairShares;
  readonly holding: Caller[] = [];
  readonly waiting: Caller[] = [];
  readonly refused: unknown[] = [];
  /** Tenants in the order in which they were served. */
  readonly served: string[] = [];

  constructor(options: Partial<FairSharesOptions> & { slots: number }) {
    this.shares = new FairShares({ maxWaiting: 1_000, ...options });
  }

  async add(tenant: string, member = "one"): Promise<Caller> {
    const leaving = Promise.withResolvers<void>();
    const giveUp = new AbortController();
    const caller: Caller = { tenant, member, leave: leaving.resolve, giveUp: () => giveUp.abort() };
    this.waiting.push(caller);
    void this.shares
      .run(
        caller,
        () => {
          move(caller, this.waiting, this.holding);
          this.served.push(tenant);
          return leaving.promise;
        },
        giveUp,
      )
      .catch((error: unknown) => {
        this.waiting.splice(this.waiting.indexOf(caller), 1);
        this.refused.push(error);
      });
    await settled();
    return caller;
  }

  async addMany(count: number, tenant: string, member?: string): Promise<void> {
    for (let added = 0; added < count; added += 1) await this.add(tenant, member);
  }

  async leave(caller: Caller | undefined): Promise<void> {
    if (!caller) throw new Error("nobody to leave");
    this.holding.splice(this.holding.indexOf(caller), 1);
    caller.leave();
    await settled();
  }

  held(tenant: string, member?: string): number {
    return this.holding.filter(
      (caller) => caller.tenant === tenant && (member === undefined || caller.member === member),
    ).length;
  }
}

interface Caller extends Share {
  leave(): void;
  giveUp(): void;
}

function move(caller: Caller, from: Caller[], to: Caller[]): void {
  from.splice(from.indexOf(caller), 1);
  to.push(caller);
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a tenant", () => {
  test("gets a third when it is alone, and a newcomer finds a free slot", async () => {
    const crowd = new Crowd({ slots: 9 });
    for (const member of ["a", "b", "c"]) await crowd.addMany(10, "busy", member);
    expect(crowd.held("busy")).toBe(3);
    await crowd.add("newcomer");
    expect(crowd.held("newcomer")).toBe(1);
  });

  test("gets less, the more tenants want slots", async () => {
    const crowd = new Crowd({ slots: 9 });
    for (const member of ["a", "b", "c"]) {
      for (const tenant of ["red", "green", "blue"]) await crowd.addMany(30, tenant, member);
    }
    for (let turns = 0; turns < 60; turns += 1) await crowd.leave(crowd.holding[0]);
    for (const tenant of ["red", "green", "blue"]) {
      expect(crowd.held(tenant)).toBe(2);
    }
  });

  test("takes turns with the others", async () => {
    const crowd = new Crowd({ slots: 1 });
    const first = await crowd.add("red");
    await crowd.addMany(2, "red");
    await crowd.addMany(2, "green");
    await crowd.leave(first);
    for (let turns = 0; turns < 3; turns += 1) await crowd.leave(crowd.holding[0]);
    expect(crowd.served).toEqual(["red", "red", "green", "red", "green"]);
  });

  test("is refused once too many of its callers wait, and others are not", async () => {
    const crowd = new Crowd({ slots: 1, maxWaiting: 2 });
    await crowd.addMany(4, "busy");
    expect(crowd.refused).toEqual([new ShareRefused("full")]);
    await crowd.add("other");
    expect(crowd.waiting.map(({ tenant }) => tenant)).toEqual(["busy", "busy", "other"]);
  });
});

describe("a member", () => {
  test("leaves slots of its tenant to a colleague", async () => {
    const crowd = new Crowd({ slots: 9 });
    await crowd.addMany(20, "busy", "hog");
    expect(crowd.held("busy", "hog")).toBe(2);
    await crowd.add("busy", "colleague");
    expect(crowd.held("busy", "colleague")).toBe(1);
  });
});

describe("a wait", () => {
  test("ends with the time limit", async () => {
    const shares = new FairShares({ slots: 1, maxWaiting: 1, maxWaitMillis: 5 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = shares.run({ tenant: "red", member: "one" }, () => promise);
    const second = shares.run({ tenant: "green", member: "one" }, async () => {});
    await expect(second).rejects.toMatchObject({ reason: "late" });
    resolve();
    await first;
  });

  test("ends with the caller's signal, and the slot goes to the next", async () => {
    const crowd = new Crowd({ slots: 1 });
    const first = await crowd.add("red");
    const second = await crowd.add("green");
    await crowd.add("blue");
    second.giveUp();
    await settled();
    expect(crowd.refused).toMatchObject([{ name: "AbortError" }]);
    await crowd.leave(first);
    expect(crowd.held("blue")).toBe(1);
  });

  test("of the reserved key is never for a tenant", async () => {
    const crowd = new Crowd({ slots: 10, reserved: { tenant: "directory", slots: 1 } });
    for (let tenant = 0; tenant < 20; tenant += 1) await crowd.addMany(5, `tenant ${tenant}`);
    expect(crowd.holding).toHaveLength(9);
    await crowd.add("directory");
    expect(crowd.held("directory")).toBe(1);
  });
});

test("work that fails gives its slot back", async () => {
  const shares = new FairShares({ slots: 1, maxWaiting: 1 });
  const share = { tenant: "red", member: "one" };
  await expect(shares.run(share, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await shares.run(share, async () => "works")).toBe("works");
});

/** The rule stated differently: what a caller would see if its tenant got slots one after the other. */
function mayHaveAnother(crowd: Crowd, slots: number, reserve: number, { tenant, member }: Share): boolean {
  const unusedReserve = tenant === reservedKey ? 0 : Math.max(0, reserve - crowd.held(reservedKey));
  let free = slots - crowd.holding.length - unusedReserve;
  let room = 0;
  for (let held = crowd.held(tenant); held < free / 2 || (held < 2 && free > 0); held += 1, free -= 1)
    room += 1;
  return crowd.held(tenant, member) < 2 * room;
}

const reservedKey = "reserved";

test("any crowd: never more than the slots, nobody waits needlessly or forever, all slots come back", async () => {
  const tenant = fc.constantFrom("red", "green", "blue", reservedKey);
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant("add"), tenant, member: fc.constantFrom("a", "b", "c") }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("leave"), who: fc.nat(100) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("giveUp"), who: fc.nat(100) }) },
  );
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 12 }),
    fc.nat(2),
    fc.array(step, { maxLength: 60 }),
    async (slots, wanted, steps) => {
      const reserve = Math.min(wanted, slots - 1);
      const crowd = new Crowd({ slots, reserved: { tenant: reservedKey, slots: reserve } });
      for (const each of steps) {
        if ("tenant" in each) await crowd.add(each.tenant, each.member);
        const { holding, waiting } = crowd;
        const who = "who" in each ? each.who : 0;
        if (each.kind === "leave" && holding.length > 0) await crowd.leave(holding[who % holding.length]);
        if (each.kind === "giveUp" && waiting.length > 0) waiting[who % waiting.length]?.giveUp();
        await settled();
        expect(holding.length).toBeLessThanOrEqual(slots);
        for (const caller of waiting) expect(mayHaveAnother(crowd, slots, reserve, caller)).toBe(false);
        const present = new Set([...holding, ...waiting].map(({ tenant: name }) => name));
        expect(crowd.shares.full.toSorted()).toEqual(
          [...present]
            .filter((name) => !mayHaveAnother(crowd, slots, reserve, { tenant: name, member: "new" }))
            .toSorted(),
        );
        expect(crowd.shares.free).toBe(slots - holding.length);
      }
      // Every waiter is served within as many turns as there are callers.
      for (let turns = crowd.holding.length + crowd.waiting.length; turns > 0; turns -= 1) {
        await crowd.leave(crowd.holding[0]);
      }
      expect(crowd.waiting).toEqual([]);
      expect(crowd.shares.waiting).toBe(0);
      for (let added = 0; added < slots - reserve; added += 1) await crowd.add(`fresh ${added}`);
      expect(crowd.waiting).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
