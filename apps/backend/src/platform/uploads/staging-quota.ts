import { lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { ProblemError } from "@svc/protocol/problem";
import { attribute, markOrigin } from "../process/dependency.ts";
import type { DiskSettings, StagingSettings } from "../process/staging-settings.ts";
import { claimOf, isContent } from "./tree-folder.ts";

/** Whose bytes they are. */
export interface StagingOwner {
  tenant: string;
  actor: string;
}

type Limits = Omit<StagingSettings, "resumeMillis"> & DiskSettings;

/** Limit of one person. Each upload is inspected whenever a piece arrives, so their number must be bounded. */
const mostCalls = 1_000;

/**
 * Limits what people and tenants have staged. Staged bytes are counted on the disk, which all processes share; only
 * reserved bytes that are still on their way are known to this process alone.
 */
export class StagingQuota {
  readonly #folder: string;
  readonly #limits: Limits;
  readonly #promised = new Map<string, number>();

  constructor(folder: string, limits: Limits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** Throws if there is no room for this many bytes; otherwise they are reserved until they are settled. */
  async claim({ tenant, actor }: StagingOwner, bytes: number): Promise<void> {
    if (bytes === 0) return;
    const person = join(tenant, actor);
    const staged = await stagedByActor(join(this.#folder, tenant));
    const own = staged.get(actor) ?? { bytes: 0, calls: 0 };
    const ofTenant = sum([...staged.values()].map((some) => some.bytes));
    const free = bytes < this.#limits.noticedBytes ? Number.POSITIVE_INFINITY : await this.#freeBytes();
    // Nothing is awaited from here on, so that concurrent claims see each other.
    if (own.calls > mostCalls) throw full(`You have more than ${mostCalls} unfinished uploads.`);
    this.#requireRoom("You have", person, own.bytes, bytes, this.#limits.bytesPerPerson);
    this.#requireRoom("Your tenant has", tenant, ofTenant, bytes, this.#limits.bytesPerTenant);
    // Last: that the caller has used up their own limit is nothing that the operator has to mend.
    // guard: no-room-is-an-outage
    requireSpace(free, bytes + this.#limits.reservedBytes);
    this.#promise({ tenant, actor }, bytes);
  }

  /** Throws if large uploads are refused because the disk has no room for them. */
  async check(): Promise<void> {
    const { noticedBytes, reservedBytes } = this.#limits;
    requireSpace(await this.#freeBytes(), noticedBytes + reservedBytes);
  }

  #freeBytes(): Promise<number> {
    return attribute("store", async () => {
      const disk = await statfs(this.#folder).catch(unlessGone);
      return disk ? disk.bavail * disk.bsize : Number.POSITIVE_INFINITY;
    });
  }

  /** The bytes are on the disk now, or will not come. */
  settle(owner: StagingOwner, bytes: number): void {
    this.#promise(owner, -bytes);
  }

  #requireRoom(who: string, name: string, staged: number, bytes: number, limit: number): void {
    if (staged + (this.#promised.get(name) ?? 0) + bytes <= limit) return;
    throw full(`${who} reached the limit of ${limit} bytes for unfinished uploads.`);
  }

  #promise({ tenant, actor }: StagingOwner, bytes: number): void {
    for (const name of [tenant, join(tenant, actor)]) {
      const promised = (this.#promised.get(name) ?? 0) + bytes;
      if (promised > 0) this.#promised.set(name, promised);
      else this.#promised.delete(name);
    }
  }
}

/** The same failure as that of a write to a full disk. */
function requireSpace(free: number, needed: number): void {
  if (free >= needed) return;
  const error = new Error(`the disk of uploads has ${free} bytes free, of the ${needed} that are needed`);
  throw markOrigin(Object.assign(error, { code: "ENOSPC" }), "store");
}

function full(detail: string): ProblemError {
  return new ProblemError("too_large", detail, {
    hint: "Wait for running uploads to finish, or try again later: abandoned uploads are deleted.",
  });
}

interface Staged {
  bytes: number;
  calls: number;
}

async function stagedByActor(tenantFolder: string): Promise<Map<string, Staged>> {
  const actors = await namesIn(tenantFolder);
  const staged = await Promise.all(
    actors.map(async (actor): Promise<Staged> => {
      const calls = await namesIn(join(tenantFolder, actor));
      const bytes = await Promise.all(calls.map((call) => bytesOfCall(join(tenantFolder, actor, call))));
      return { bytes: sum(bytes), calls: calls.length };
    }),
  );
  return new Map(actors.map((actor, index) => [actor, staged[index] as Staged]));
}

/** A tree counts with everything that its check allowed to come, so that its contents need not be counted. */
async function bytesOfCall(folder: string): Promise<number> {
  const names = await namesIn(folder);
  const others = names.filter((name) => !isContent(name));
  const found = await Promise.all(others.map((name) => lstat(join(folder, name)).catch(unlessGone)));
  return sum([...names.map(claimOf), ...found.map((entry) => entry?.size ?? 0)]);
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessGone)) ?? [];
}

/** Other calls end while this one counts. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
