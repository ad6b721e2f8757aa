import { lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { ProblemError } from "@svc/protocol/problem";
import type { StagingSettings } from "../process/staging-settings.ts";
import { claimOf, isContent } from "./tree-folder.ts";

/** Whose bytes they are. */
export interface StagingOwner {
  tenant: string;
  actor: string;
}

/** Limit of one person. Each upload is inspected whenever a piece arrives, so their number must be bounded. */
const mostCalls = 1_000;

/**
 * Limits what people and tenants have staged. Staged bytes are counted on the disk, which all processes share; only
 * reserved bytes that are still on their way are known to this process alone.
 */
export class StagingQuota {
  readonly #folder: string;
  readonly #limits: Pick<StagingSettings, "bytesPerPerson" | "bytesPerTenant">;
  readonly #promised = new Map<string, number>();

  constructor(folder: string, limits: Pick<StagingSettings, "bytesPerPerson" | "bytesPerTenant">) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** Throws if there is no room for this many bytes; otherwise they are reserved until they are settled. */
  async claim({ tenant, actor }: StagingOwner, bytes: number): Promise<void> {
    if (bytes === 0) return;
    await requireSpace(this.#folder, bytes);
    const person = join(tenant, actor);
    const staged = await stagedByActor(join(this.#folder, tenant));
    const own = staged.get(actor) ?? { bytes: 0, calls: 0 };
    const ofTenant = sum([...staged.values()].map((some) => some.bytes));
    // Nothing is awaited from here on, so that concurrent claims see each other.
    if (own.calls > mostCalls) throw full(`You have more than ${mostCalls} unfinished uploads.`);
    this.#requireRoom("You have", person, own.bytes, bytes, this.#limits.bytesPerPerson);
    this.#requireRoom("Your tenant has", tenant, ofTenant, bytes, this.#limits.bytesPerTenant);
    this.#promise({ tenant, actor }, bytes);
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

/** Kept free for everything else on the disk. */
const reservedBytes = 1024 ** 3;
/** Below this, a full disk says so itself. */
const noticedBytes = 64 * 1024 ** 2;

async function requireSpace(folder: string, bytes: number): Promise<void> {
  if (bytes < noticedBytes) return;
  const disk = await statfs(folder).catch(unlessGone);
  if (disk && disk.bavail * disk.bsize < bytes + reservedBytes) {
    throw new ProblemError("too_large", "The server has no room for this upload now.", {
      hint: "Tell the person who runs the service.",
    });
  }
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
