import { randomUUID } from "node:crypto";
import type { TenantTransaction } from "@svc/database/database";
import { forgetResults, releaseTexts } from "@svc/search/vectors/embedding-results";
import { currentVectors, knownVectors, writeVectors } from "@svc/search/vectors/file-vectors";
import { nobody } from "../../platform/identity/nobody.ts";
import type { Embedders, PricedEmbedder } from "../../platform/search/embedders.ts";
import { chunkFile, type FileChunk } from "./chunk-file.ts";
import { dropFormerModels } from "./drop-vectors.ts";
import { type EmbeddedTexts, type EmbeddingParts, embedTexts } from "./embed-texts.ts";
import {
  type ClaimedFile,
  claimFiles,
  finishEntries,
  releaseEntries,
  type Setback,
  setBack,
  stillClaimed,
} from "./queue-store.ts";
import { endRun, goOnOrEnd, readRun, restFor } from "./run-store.ts";
import {
  holdSetting,
  lockSetting,
  modelsOf,
  readSetting,
  type Setting,
  saveSetting,
} from "./setting-store.ts";

interface Parts extends EmbeddingParts {
  embedders: Embedders;
}

/** Pause for a tenant with nothing to do, while others get their turns. */
const restMillis = 10_000;

/**
 * Embeds one group of files of a tenant with a run in progress; after the last, drops vectors of former models. A
 * failure in one tenant does not hold up another.
 */
export async function takeTurn(parts: Parts, tenantId: string): Promise<void> {
  const { database, clock, log, signal } = parts;
  const leaseId = randomUUID();
  const write = <T>(work: (transaction: TenantTransaction) => Promise<T>) =>
    database.withTenant({ tenantId, actorId: nobody }, "write", work);
  try {
    const group = await claimGroup(parts, tenantId, leaseId);
    if (!group) return;
    const counts = await new Group(parts, { tenantId, leaseId }, group.embedders).embed(group.files);
    const isOver = await write(async (transaction) => {
      if (group.files.length === 0) await restFor(transaction, restMillis);
      return goOnOrEnd(transaction, { ...counts, now: clock() });
    });
    // guard: former-models-go
    if (!isOver) return;
    const vectors = await write((transaction) => dropFormerModels(transaction, clock()));
    if (vectors > 0) log.info({ tenant: tenantId, vectors }, "vectors of former models dropped");
  } catch (error) {
    if (!signal?.aborted) log.error({ err: error, tenant: tenantId }, "embedding failed");
    await write(async (transaction) => {
      await releaseTexts(transaction, leaseId);
      await releaseEntries(transaction, leaseId);
      await restFor(transaction, restMillis);
    });
  }
}

interface ClaimedGroup {
  /** None if others hold the rest, or if it is scheduled for later. */
  files: ClaimedFile[];
  embedders: PricedEmbedder[];
}

async function claimGroup(
  { database, embedders, clock }: Parts,
  tenantId: string,
  leaseId: string,
): Promise<ClaimedGroup | undefined> {
  return database.withTenant({ tenantId, actorId: nobody }, "write", async (transaction) => {
    const now = clock();
    const run = await readRun(transaction);
    if (!run?.startedAt) return undefined;
    const wanted = wantedEmbedders(await settled(transaction, embedders), embedders);
    if (!wanted) {
      await endRun(transaction, "no_embedder", now);
      return undefined;
    }
    const files = await claimFiles(transaction, { leaseId, startedAt: run.startedAt, now });
    return { files, embedders: wanted };
  });
}

/** Undefined if the deployment does not have the tenant's model. */
function wantedEmbedders(setting: Setting, embedders: Embedders): PricedEmbedder[] | undefined {
  if (setting.model === null || !embedders.of(setting.model)) return undefined;
  return modelsOf(setting).flatMap((model) => embedders.of(model) ?? []);
}

/** A tenant without a model gets the default one, and keeps it. */
async function settled(transaction: TenantTransaction, { usual }: Embedders): Promise<Setting> {
  const known = await readSetting(transaction);
  if (known.model !== null || !usual) return known;
  const setting = await lockSetting(transaction);
  if (setting.model !== null) return setting;
  const chosen = { ...setting, model: usual.embedder.model };
  await saveSetting(transaction, chosen);
  return chosen;
}

/** Content that failed this often is parked until it changes or somebody asks for it. */
const mostAttempts = 5;
/** A transaction of nine statements for any number of files; a caller who changes one of them waits for all. */
const finishedAtOnce = 16;
/** A misconfigured model may still answer and cost money. */
const pauses = {
  askedElsewhere: 2_000,
  outage: 60_000,
  unusable: 300_000,
  first: 30_000,
  longest: 3_600_000,
};

class Group {
  readonly #parts: Parts;
  readonly #tenant: { tenantId: string; leaseId: string };
  readonly #embedders: readonly PricedEmbedder[];

  constructor(
    parts: Parts,
    tenant: { tenantId: string; leaseId: string },
    embedders: readonly PricedEmbedder[],
  ) {
    this.#parts = parts;
    this.#tenant = tenant;
    this.#embedders = embedders;
  }

  async embed(files: readonly ClaimedFile[]): Promise<{ done: number; failed: number }> {
    if (files.length === 0) return { done: 0, failed: 0 };
    const prepared: Prepared[] = [];
    let ours = files;
    for (const priced of this.#embedders) {
      const next = await this.#prepare(priced, ours);
      prepared.push(next);
      ours = next.files;
    }
    const whole: ClaimedFile[] = [];
    let failed = 0;
    for (const file of ours) {
      const setback = setbackOf(file, prepared, this.#parts.clock());
      if (!setback) whole.push(file);
      else {
        if (setback.failure !== null) failed += 1;
        await this.#write((transaction) =>
          setBack(transaction, { ...this.#tenant, nodeId: file.nodeId }, setback),
        );
      }
    }
    let done = 0;
    for (let start = 0; start < whole.length; start += finishedAtOnce) {
      done += await this.#finish(whole.slice(start, start + finishedAtOnce), prepared);
    }
    return { done, failed };
  }

  /** The state of each file under a model, with the vectors of its texts as far as they are available. */
  async #prepare(priced: PricedEmbedder, claimed: readonly ClaimedFile[]): Promise<Prepared> {
    const { model } = priced.embedder;
    const { current, files } = await this.#write(async (transaction) => ({
      current: await currentVectors(transaction, model, claimed),
      // After the vectors: those of a file that was deleted in between are not asked for again.
      // guard: entry-still-ours
      files: await stillClaimed(transaction, this.#tenant.leaseId, claimed),
    }));
    const chunks = new Map(
      files
        .filter(({ nodeId }) => !current.has(nodeId))
        .map(({ nodeId, text }) => [nodeId, chunkFile(text, priced.embedder)]),
    );
    const texts = new Map([...chunks.values()].flat().map(({ textHash, text }) => [keyOf(textHash), text]));
    const known = await this.#write((transaction) => knownVectors(transaction, model, [...texts.keys()]));
    const missing = [...texts].flatMap(([key, text]) => (known.has(key) ? [] : [{ key, text }]));
    const embedded = await embedTexts(this.#parts, this.#tenant, priced, missing);
    return { model, files, chunks, embedded, vectors: new Map([...known, ...embedded.vectors]) };
  }

  /** For the models in use now: during the calls another may have been adopted, or one of them dropped. */
  async #finish(files: readonly ClaimedFile[], prepared: readonly Prepared[]): Promise<number> {
    const { leaseId } = this.#tenant;
    return this.#write(async (transaction) => {
      // Locked first, so that a caller who changes it holds nothing that this waits for.
      const wanted = wantedEmbedders(await holdSetting(transaction), this.#parts.embedders);
      const models = new Set(wanted?.map(({ embedder }) => embedder.model));
      const wantedOf = prepared.filter(({ model }) => models.has(model));
      // guard: models-as-prepared
      if (!wanted || wantedOf.length < models.size || !(await areAsPrepared(transaction, files, wantedOf))) {
        await releaseEntries(transaction, leaseId, files);
        return 0;
      }
      const finished = await finishEntries(transaction, leaseId, files);
      for (const { model, chunks, vectors } of wantedOf) {
        const written = files.flatMap(({ nodeId, contentVersion }) => {
          // guard: entry-still-queued
          const own = finished.has(nodeId) ? chunks.get(nodeId) : undefined;
          // It already has them, or they are not needed.
          if (!own) return [];
          const withVectors = own.map((chunk) => ({
            ...chunk,
            vector: vectors.get(keyOf(chunk.textHash)) ?? "",
          }));
          return [{ nodeId, contentVersion, chunks: withVectors }];
        });
        if (written.length === 0) continue;
        await writeVectors(transaction, model, written);
        const keys = written.flatMap(({ chunks: own }) => own.map(({ textHash }) => keyOf(textHash)));
        await forgetResults(transaction, model, keys);
      }
      return finished.size;
    });
  }

  #write<T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    const scope = { tenantId: this.#tenant.tenantId, actorId: nobody };
    return this.#parts.database.withTenant(scope, "write", work);
  }
}

interface Prepared {
  model: string;
  files: readonly ClaimedFile[];
  /** Only files that do not have their vectors yet. */
  chunks: ReadonlyMap<string, FileChunk[]>;
  vectors: ReadonlyMap<string, string>;
  embedded: EmbeddedTexts;
}

/** Whether files that had vectors still have them: a model may have been dropped and adopted again in between. */
async function areAsPrepared(
  transaction: TenantTransaction,
  files: readonly ClaimedFile[],
  prepared: readonly Prepared[],
): Promise<boolean> {
  for (const { model, chunks } of prepared) {
    const had = files.filter(({ nodeId }) => !chunks.has(nodeId));
    if (had.length === 0) continue;
    const have = await currentVectors(transaction, model, had);
    if (have.size < had.length) return false;
  }
  return true;
}

function keyOf(textHash: Buffer): string {
  return textHash.toString("hex");
}

/** Undefined if all its texts have vectors. */
function setbackOf(
  { nodeId, contentVersion, attempts }: ClaimedFile,
  prepared: readonly Prepared[],
  now: Date,
): Setback | undefined {
  const common = { attempts, failure: null, notBefore: null, lacksBudget: false, parkedVersion: null };
  for (const { chunks, vectors, embedded } of prepared) {
    const missing = (chunks.get(nodeId) ?? [])
      .map(({ textHash }) => keyOf(textHash))
      .filter((key) => !vectors.has(key));
    if (missing.length === 0) continue;
    const refusal = missing.map((key) => embedded.refused.get(key)).find((failure) => failure !== undefined);
    if (refusal) {
      const isGivenUp = refusal.kind === "too-long" || attempts + 1 >= mostAttempts;
      return {
        ...common,
        attempts: attempts + 1,
        failure: refusal.message,
        notBefore: isGivenUp ? null : later(now, Math.min(pauses.longest, pauses.first * 2 ** attempts)),
        parkedVersion: isGivenUp ? contentVersion : null,
      };
    }
    if (embedded.outage) {
      const { kind, message, retryAfterMs = 0 } = embedded.outage;
      const least = kind === "unusable" ? pauses.unusable : pauses.outage;
      const pause = Math.max(least, Math.min(retryAfterMs, pauses.longest));
      return { ...common, failure: message, notBefore: later(now, pause) };
    }
    if (missing.some((key) => embedded.lackBudget.has(key))) {
      return { ...common, failure: "the budget is used up", lacksBudget: true };
    }
    return { ...common, notBefore: later(now, pauses.askedElsewhere) };
  }
  return undefined;
}

function later(now: Date, millis: number): Date {
  return new Date(now.getTime() + millis);
}
