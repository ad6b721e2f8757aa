import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { PartFolder } from "@svc/machine/files/part-folder";
import { fetchRenewing, type RenewableFolder } from "@svc/machine/network/renewable-address";
import { packedFileBytes } from "@svc/protocol/pack";
import type { Connection, Progress } from "./connection.ts";
import { planPacks } from "./plan-packs.ts";
import { readPack } from "./read-pack.ts";
import { patience, receiveInto } from "./receive-content.ts";
import { isComplete, writeNew } from "./received-file.ts";
import { runFewAtOnce } from "./run-few-at-once.ts";

type Wanted = RenewableFolder["files"][number] & { parts: readonly string[] };

interface Receiving {
  folder: RenewableFolder;
  part: PartFolder;
  service: Connection;
  progress: Progress;
  onFile: () => void;
}

const atOnce = 4;

/** Fetches what an earlier run has not: small files in packs, large ones by themselves, each checked by its digest. */
export async function receiveFiles(files: readonly Wanted[], receiving: Receiving): Promise<void> {
  const { part, service, onFile } = receiving;
  const earlier = await part.files();
  const isNew = ({ parts }: Wanted) => !earlier.has(join(...parts));
  const missing: Wanted[] = [];
  for (const file of files) {
    const path = placeOf(file, part);
    service.signal.throwIfAborted();
    if (isNew(file) || file.size > packedFileBytes) missing.push(file);
    else if (await isComplete(path, file)) onFile();
    else {
      await rm(path);
      missing.push(file);
    }
  }
  const { packs, large } = planPacks(missing, atOnce);
  await runFewAtOnce(atOnce, [
    ...large.map((file) => () => receiveLarge(file, isNew(file), receiving)),
    ...packs.map((pack) => () => receivePack(pack, receiving)),
  ]);
}

async function receiveLarge(file: Wanted, isNew: boolean, receiving: Receiving): Promise<void> {
  const { folder: address, part, service, progress, onFile } = receiving;
  const below = `/${[file.id, file.version, file.sha256].map(encodeURIComponent).join("/")}`;
  const path = placeOf(file, part);
  if (isNew) writeNew(path, new Uint8Array());
  await receiveInto(service, { ...file, address, below }, path, undefined, progress);
  onFile();
}

async function receivePack(pack: readonly Wanted[], receiving: Receiving): Promise<void> {
  const { folder, part, service, onFile } = receiving;
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
      writeNew(placeOf(file, part), content);
      arrived += 1;
      bytes += content.length;
      onFile();
    }
    if (arrived < pack.length) throw service.cut();
  };
  await service.persevere(work, () => bytes);
}

function placeOf({ parts }: Wanted, { content }: PartFolder): string {
  return join(content, ...parts);
}
