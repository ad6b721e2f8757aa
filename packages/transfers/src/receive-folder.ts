import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fetchRenewing, type RenewableFolder } from "@svc/machine/network/renewable-address";
import { packedFileBytes } from "@svc/protocol/pack";
import { Breather } from "./breather.ts";
import type { Connection } from "./connection.ts";
import { type Entry, folderPages, type Wanted } from "./folder-pages.ts";
import { GitEntries } from "./git-entries.ts";
import { Leftovers } from "./leftovers.ts";
import { planPacks } from "./plan-packs.ts";
import { Mismatch, readPack } from "./read-pack.ts";
import { patience, receiveInto } from "./receive-content.ts";
import { isComplete, writeNew } from "./received-file.ts";
import { runFewAtOnce } from "./run-few-at-once.ts";

interface Receiving {
  service: Connection;
  /** Where it is saved. An earlier run may have saved some of it there. */
  place: string;
  /** The folder into which it is merged afterwards, if it is. */
  target?: string | undefined;
  onBytes: (bytes: number) => void;
  /** Told what was left out, so that no program runs. */
  onLeft: (path: string) => void;
  /** Told what is saved. */
  onSaved: (parts: readonly string[]) => void;
  /** Refuses an entry before it is fetched. */
  requireRoom?: ((kind: "file" | "folder", path: string) => Promise<unknown>) | undefined;
}

type Context = Receiving & { folder: RenewableFolder };

const atOnce = 4;

/**
 * Fetches what an earlier run has not: small files in packs, large ones by themselves, each checked by its digest. What
 * could make a repository of a folder is fetched last.
 */
export async function receiveFolder(folder: RenewableFolder, receiving: Receiving): Promise<void> {
  const { service, place, target, onBytes, onLeft, onSaved, requireRoom } = receiving;
  await mkdir(place, { recursive: true });
  const earlier = await Leftovers.in(place);
  const ofGit = new GitEntries(target);
  const leave = (entries: readonly Entry[]) => {
    for (const { parts, size = 0 } of entries) {
      onLeft(parts.join("/"));
      onBytes(size);
    }
  };
  const take = async function* (folders: readonly Entry[], files: readonly Wanted[]) {
    for (const { parts } of folders) await requireRoom?.("folder", join(...parts));
    for (const { parts } of files) await requireRoom?.("file", join(...parts));
    const parents = files.map(({ parts }) => ({ parts: parts.slice(0, -1) }));
    await makeFolders(place, [...folders, ...parents], earlier);
    for (const { parts } of [...folders, ...files]) onSaved(parts);
    yield* receiveFiles(files, earlier, { ...receiving, folder });
  };
  const tasks = async function* () {
    for await (const { folders, files, left } of folderPages(service, folder)) {
      leave(left);
      yield* take(await ofGit.others(folders), await ofGit.others(files));
    }
    const { wanted, left } = ofGit.sorted();
    leave(left);
    const files = wanted.filter(isFile);
    yield* take(
      wanted.filter((entry) => !isFile(entry)),
      files,
    );
  };
  await runFewAtOnce(atOnce, tasks());
  await earlier.removeRest();
}

function isFile(entry: Entry): entry is Wanted {
  return entry.size !== undefined;
}

async function makeFolders(
  place: string,
  folders: readonly { parts: readonly string[] }[],
  earlier: Leftovers,
): Promise<void> {
  for (const path of new Set(folders.map(({ parts }) => join(...parts)))) {
    await earlier.has(path, "folder");
    await mkdir(join(place, path), { recursive: true });
  }
}

async function* receiveFiles(
  files: readonly Wanted[],
  earlier: Leftovers,
  context: Context,
): AsyncGenerator<() => Promise<void>> {
  const { service, onBytes } = context;
  const missing: (Wanted & { isBegun: boolean })[] = [];
  for (const file of files) {
    const path = placeOf(file, context);
    service.signal.throwIfAborted();
    const isBegun = await earlier.has(join(...file.parts), "file");
    if (!isBegun || file.size > packedFileBytes) missing.push({ ...file, isBegun });
    else if (await isComplete(path, file)) onBytes(file.size);
    else {
      await rm(path);
      missing.push({ ...file, isBegun: false });
    }
  }
  const { packs, large } = planPacks(missing, atOnce);
  for (const file of large) yield () => receiveLarge(file, file.isBegun, context);
  for (const pack of packs) yield () => receivePack(pack, context);
}

async function receiveLarge(file: Wanted, isBegun: boolean, context: Context): Promise<void> {
  const { folder: address, service, onBytes } = context;
  const below = `/${[file.id, file.version, file.sha256].map(encodeURIComponent).join("/")}`;
  const path = placeOf(file, context);
  let counted = 0;
  const onStep = (done: number) => {
    if (done > counted) onBytes(done - counted);
    counted = Math.max(counted, done);
  };
  const receive = () => receiveInto(service, { ...file, address, below }, path, onStep);
  if (!isBegun) writeNew(path, new Uint8Array());
  await receive().catch(async (error: unknown) => {
    if (!isBegun || !(error instanceof Mismatch)) throw error;
    // The beginning is of an earlier version.
    await rm(path);
    await receive();
  });
  onStep(file.size);
}

async function receivePack(pack: readonly Wanted[], context: Context): Promise<void> {
  const { folder, service, onBytes } = context;
  const breather = new Breather();
  let [arrived, bytes] = [0, 0];
  const work = async () => {
    const missing = pack.slice(arrived);
    const files = missing.map(({ id, version, sha256 }) => ({ id, version, sha256 }));
    const answer = await fetchRenewing(service, folder, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ files }),
      silenceMillis: patience,
    });
    if (!answer.ok) throw await service.refusal(answer);
    for await (const { file, content } of readPack(answer, missing)) {
      writeNew(placeOf(file, context), content);
      arrived += 1;
      bytes += content.length;
      onBytes(content.length);
      await breather.breathe();
    }
    if (arrived < pack.length) throw service.cut();
  };
  await service.persevere(work, () => bytes);
}

function placeOf({ parts }: Wanted, { place }: Receiving): string {
  return join(place, ...parts);
}
