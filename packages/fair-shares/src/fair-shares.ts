import { ShareRefused } from "./share-refused.ts";

/** The owner of a slot: a tenant, and one of its members (an actor or a credential). */
export interface Share {
  tenant: string;
  member: string;
}

export interface FairSharesOptions {
  /** How many run at once. */
  slots: number;
  /** One key that must never wait for tenants: they leave it this many slots. */
  reserved?: { tenant: string; slots: number };
  /** Of one tenant. Further callers are refused, so that no tenant fills the memory. */
  maxWaiting: number;
  /** Absent: until the caller's signal ends the wait. */
  maxWaitMillis?: number;
}

interface Waiter {
  resolve(): void;
  reject(reason: unknown): void;
}

interface Member {
  held: number;
  waiting: Set<Waiter>;
}

interface Tenant {
  held: number;
  waiting: number;
  /** Members that hold or wait; the one served last comes last. */
  members: Map<string, Member>;
}

/**
 * Slots that tenants share. A tenant gets another one only while it holds less than half of what is free (the dynamic
 * thresholds of Choudhury and Hahne, 1998), or two: alone it gets a third, several greedy ones get less each, and a
 * newcomer finds a free slot. The same rule, with twice instead of half, divides a tenant's part among its members.
 * Waiting tenants take turns, and so do their members.
 */
export class FairShares {
  readonly #options: FairSharesOptions;
  readonly #tenants = new Map<string, Tenant>();
  #free: number;

  constructor(options: FairSharesOptions) {
    this.#options = options;
    this.#free = options.slots;
  }

  get waiting(): number {
    return this.#tenants.values().reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Slots that nobody holds. */
  get free(): number {
    return this.#free;
  }

  /** Tenants that would have to wait now, whichever member asks. */
  get full(): string[] {
    return [...this.#tenants]
      .filter(([key, { held }]) => roomFor(held, this.#freeFor(key)) === 0)
      .map(([key]) => key);
  }

  /** Runs `work` in a slot. Throws `ShareRefused`, or the signal's reason, if it gets none. */
  async run<T>(
    share: Share,
    work: () => Promise<T>,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    await this.#take(share, signal);
    try {
      return await work();
    } finally {
      this.#giveBack(share);
    }
  }

  async #take(share: Share, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const tenant = getOrAdd(this.#tenants, share.tenant, newTenant);
    if (tenant.waiting >= this.#options.maxWaiting) throw new ShareRefused("full");
    const member = getOrAdd(tenant.members, share.member, newMember);
    const { promise, ...waiter } = Promise.withResolvers<void>();
    member.waiting.add(waiter);
    tenant.waiting += 1;
    this.#serve();
    if (!member.waiting.has(waiter)) return;

    const leave = (reason: unknown) => {
      if (!member.waiting.delete(waiter)) return;
      tenant.waiting -= 1;
      this.#forgetIfIdle(share);
      waiter.reject(reason);
    };
    const onAbort = () => leave(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const { maxWaitMillis } = this.#options;
    const timer =
      maxWaitMillis === undefined
        ? undefined
        : setTimeout(() => leave(new ShareRefused("late")), maxWaitMillis);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #giveBack(share: Share): void {
    const tenant = this.#tenants.get(share.tenant);
    const member = tenant?.members.get(share.member);
    if (!tenant || !member) throw new Error("a slot was given back that nobody holds");
    this.#free += 1;
    tenant.held -= 1;
    member.held -= 1;
    this.#forgetIfIdle(share);
    this.#serve();
  }

  #serve(): void {
    while (this.#free > 0) {
      const next = this.#next();
      if (!next) return;
      const { share, tenant, member, waiter } = next;
      this.#free -= 1;
      tenant.held += 1;
      tenant.waiting -= 1;
      member.held += 1;
      member.waiting.delete(waiter);
      moveToEnd(this.#tenants, share.tenant, tenant);
      moveToEnd(tenant.members, share.member, member);
      waiter.resolve();
    }
  }

  #next(): { share: Share; tenant: Tenant; member: Member; waiter: Waiter } | undefined {
    for (const [tenantKey, tenant] of this.#tenants) {
      if (tenant.waiting === 0) continue;
      const room = roomFor(tenant.held, this.#freeFor(tenantKey));
      for (const [memberKey, member] of tenant.members) {
        const [waiter] = member.waiting;
        if (!waiter || member.held >= memberGreed * room) continue;
        return { share: { tenant: tenantKey, member: memberKey }, tenant, member, waiter };
      }
    }
    return undefined;
  }

  #freeFor(tenant: string): number {
    const { reserved } = this.#options;
    if (!reserved || tenant === reserved.tenant) return this.#free;
    const held = this.#tenants.get(reserved.tenant)?.held ?? 0;
    return this.#free - Math.max(0, reserved.slots - held);
  }

  #forgetIfIdle(share: Share): void {
    const tenant = this.#tenants.get(share.tenant);
    const member = tenant?.members.get(share.member);
    if (member?.held === 0 && member.waiting.size === 0) tenant?.members.delete(share.member);
    if (tenant?.members.size === 0) this.#tenants.delete(share.tenant);
  }
}

/** How many times the free slots a tenant may hold, and a member of its tenant's part. */
const tenantGreed = 0.5;
const memberGreed = 2;
/** While any are free: in a small pool one transaction that waits for a lock would otherwise stop its whole tenant. */
const leastOfTenant = 2;

/** How many more slots the rule gives to a tenant that holds `held`, if nobody else takes any. */
function roomFor(held: number, free: number): number {
  const least = Math.min(leastOfTenant - held, free);
  return Math.max(0, least, Math.ceil((tenantGreed * free - held) / (1 + tenantGreed)));
}

function newTenant(): Tenant {
  return { held: 0, waiting: 0, members: new Map() };
}

function newMember(): Member {
  return { held: 0, waiting: new Set() };
}

function getOrAdd<T>(map: Map<string, T>, key: string, make: () => T): T {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const made = make();
  map.set(key, made);
  return made;
}

function moveToEnd<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}
