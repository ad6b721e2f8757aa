import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ProblemError } from "@svc/protocol/problem";
import { type Caller, credentialKey } from "../identity/caller.ts";
import { attribute } from "../process/dependency.ts";
import {
  type DiskSettings,
  defaultDiskSettings,
  defaultStagingSettings,
  type StagingSettings,
} from "../process/staging-settings.ts";
import { CommitLease } from "./commit-lease.ts";
import { PieceWriter } from "./piece-writer.ts";
import { removeFolder } from "./remove-folder.ts";
import { isEnded, StagedCall } from "./staged-call.ts";
import { type StagingOwner, StagingQuota } from "./staging-quota.ts";
import { uploadTicketMillis } from "./transfer-ticket.ts";
import { UsedCalls } from "./used-calls.ts";

/** Where uploads arrive: a folder per tenant, in it one per person, in it one per call. */
export class Staging {
  readonly #folder: string;
  readonly #resumeMillis: number;
  readonly #quota: StagingQuota;
  readonly #used: UsedCalls;
  readonly #writer = new PieceWriter();

  constructor(folder: string, settings: StagingSettings & Partial<DiskSettings> = defaultStagingSettings) {
    this.#folder = join(folder, "staging");
    this.#resumeMillis = settings.resumeMillis;
    this.#quota = new StagingQuota(this.#folder, { ...defaultDiskSettings, ...settings });
    this.#used = new UsedCalls(this.#folder);
  }

  /**
   * `now` by the clock of tickets: see `TransferTickets`. `resume` is the same for the same line at the same place: its
   * trees are continued.
   */
  newCall(caller: Caller, now: Date, resume?: string): StagedCall {
    // By the same credential only: another one of the same person may be allowed less.
    const id = resume === undefined ? randomUUID() : asUuid(`${credentialKey(caller)} ${resume}`);
    return this.call(caller, { id, askedAt: now.getTime() });
  }

  call(caller: Caller, { id, askedAt }: Pick<StagedCall, "id" | "askedAt">): StagedCall {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new ProblemError("not_found", "This upload does not exist.");
    const owner = ownerOf(caller);
    return new StagedCall({
      folder: join(this.#folder, owner.tenant, owner.actor, id),
      owner,
      id,
      askedAt,
      quota: this.#quota,
      used: this.#used,
      writer: this.#writer,
    });
  }

  /** What a process described that has died since, and how many have tried. */
  async *abandonedCommits(): AsyncGenerator<{ found: unknown; attempts: number }> {
    for await (const folder of this.#calls()) {
      if (isEnded(folder)) continue;
      const lease = new CommitLease(folder);
      const found = await lease.described();
      if (found === undefined) continue;
      const latest = await lease.latest();
      if (latest && !latest.isAlive) yield { found, attempts: latest.number };
    }
  }

  /** Throws if the caller or the tenant has reached its limit. */
  async requireRoom(caller: Caller): Promise<void> {
    const owner = ownerOf(caller);
    await this.#quota.claim(owner, 1);
    this.#quota.settle(owner, 1);
  }

  /** Throws if the disk has no room for uploads. */
  check(): Promise<void> {
    return this.#quota.check();
  }

  /** A stored content, as a file while `work` runs. If a process is killed, its file is swept like an upload. */
  async withCopy<T>(
    { tenant, actor }: StagingOwner,
    /** Opened only when it is written: an unhandled error would end the process. */
    open: () => Promise<Readable>,
    work: (path: string) => Promise<T>,
  ): Promise<T> {
    const folder = join(this.#folder, tenant, actor, randomUUID());
    const path = join(folder, "direct-copy");
    try {
      await attribute("store", async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await pipeline(await open(), createWriteStream(path, { mode: 0o600 }));
      });
      return await work(path);
    } finally {
      await removeFolder(folder);
    }
  }

  /**
   * Deletes uploads that can no longer be resumed; returns how many calls they belonged to. Files have times of this
   * machine's clock, tickets those of the database's.
   */
  async sweep({ machineTime, now }: { machineTime: Date; now: Date }): Promise<number> {
    const before = machineTime.getTime() - this.#resumeMillis;
    let swept = 0;
    for await (const folder of this.#calls()) {
      if ((await lastChange(folder, before)) >= before) continue;
      await removeFolder(folder);
      swept += 1;
    }
    for (const tenant of await this.#tenants()) {
      for (const actor of await foldersIn(tenant)) await removeIfIdle(join(tenant, actor), before);
      await removeIfIdle(tenant, before);
    }
    await this.#used.sweep(now, uploadTicketMillis);
    return swept;
  }

  /** The folders of all calls. */
  async *#calls(): AsyncGenerator<string> {
    for (const tenant of await this.#tenants()) {
      for (const actor of await foldersIn(tenant)) {
        for (const call of await foldersIn(tenant, actor)) yield join(tenant, actor, call);
      }
    }
  }

  async #tenants(): Promise<string[]> {
    const names = (await foldersIn(this.#folder)).filter((name) => name !== "used");
    return names.map((name) => join(this.#folder, name));
  }
}

function asUuid(text: string): string {
  const digest = createHash("sha256").update(text).digest("hex");
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digest.slice(from, to))
    .join("-");
}

function ownerOf({ tenant, actor }: Caller): StagingOwner {
  return { tenant: tenant.id, actor: actor.id };
}

async function foldersIn(...path: string[]): Promise<string[]> {
  return readdir(join(...path)).catch(() => []);
}

/** The last change of the folder or of anything directly in it. */
async function lastChange(folder: string, before: number): Promise<number> {
  // Anything new in it changes the folder, too: only an old one can have many files to look at.
  const own = await stat(folder).catch(() => undefined);
  if (own && own.mtimeMs >= before) return own.mtimeMs;
  const names = await foldersIn(folder);
  const found = await Promise.all(
    [folder, ...names.map((name) => join(folder, name))].map((path) => stat(path).catch(() => undefined)),
  );
  return Math.max(0, ...found.map((entry) => entry?.mtimeMs ?? 0));
}

/** Skips a folder that was just created for a file about to be opened in it. */
async function removeIfIdle(folder: string, before: number): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found || found.mtimeMs >= before) return;
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "ENOENT") throw error;
  });
}
