import { createHash } from "node:crypto";
import { PartFile } from "@svc/machine/files/part-file";
import { Answer } from "@svc/machine/network/http";
import { fetchRenewing, type Renewable } from "@svc/machine/network/renewable-address";
import type { FileAnswer } from "@svc/protocol/exchange";
import type { Connection, Progress } from "./connection.ts";
import { mismatch } from "./read-pack.ts";

export interface Content extends Pick<FileAnswer, "size" | "sha256"> {
  address: Renewable;
  /** Where it is below that address. */
  below?: string;
}

/** The target: counts and digests the bytes it receives. */
interface Target {
  /** Includes the bytes of an earlier attempt. */
  done: number;
  write(chunk: Uint8Array): void | Promise<void>;
  digest(): string;
}

/** From this size on the runtime writes the file and svc reads behind it: in parallel, 200 MB take half the time. */
const largeBytes = 8_000_000;
export const patience = 30_000;

/**
 * Writes to a file that may already have a beginning: continues at its end, and checks the digest of all of it.
 * Progress is shown under the label; one file of many has none.
 */
export async function receiveInto(
  service: Connection,
  content: Content,
  path: string,
  label: string | undefined,
  progress: Progress,
): Promise<void> {
  const file = new PartFile(path, content.size);
  try {
    await receive(service, content, file, label, progress);
  } finally {
    file.close();
  }
}

/** Streams to a reader. */
export async function receiveThrough(
  service: Connection,
  content: Content,
  write: (chunk: Uint8Array) => Promise<void>,
  label: string | undefined,
  progress: Progress,
): Promise<void> {
  const hash = createHash("sha256");
  const target: Target = {
    done: 0,
    async write(chunk) {
      hash.update(chunk);
      await write(chunk);
      target.done += chunk.length;
    },
    digest: () => hash.digest("hex"),
  };
  await receive(service, content, target, label, progress);
}

async function receive(
  service: Connection,
  content: Content,
  target: Target,
  label: string | undefined,
  progress: Progress,
): Promise<void> {
  const { size, sha256, address, below } = content;
  const work = async () => {
    if (target.done === size) return;
    const isBegun = target.done > 0;
    const headers = isBegun ? { range: `bytes=${target.done}-`, "if-range": `"${sha256}"` } : undefined;
    const answer = await fetchRenewing(service, address, { headers, silenceMillis: patience }, below);
    if (!answer.ok) throw await service.refusal(answer);
    if (isBegun && answer.status !== 206) throw mismatch();
    const onStep = () => {
      if (label)
        progress.show({ label: `Receiving ${label}`, done: target.done, total: size, unit: "bytes" });
    };
    const isSaved = Answer.canSave && target instanceof PartFile && !isBegun && size > largeBytes;
    if (isSaved) await follow(target, answer, size, onStep);
    else {
      for await (const chunk of answer.chunks()) {
        if (target.done + chunk.length > size) throw mismatch();
        await target.write(chunk);
        onStep();
      }
    }
    if (target.done < size) throw service.cut();
  };
  await service.persevere(work, () => target.done);
  if (target.digest() !== sha256) throw mismatch();
}

/** Digests the file while the runtime writes it. */
async function follow(file: PartFile, answer: Answer, size: number, onStep: () => void): Promise<void> {
  const catchUp = () => {
    const hasCome = file.catchUp();
    if (file.done > size) throw mismatch();
    if (hasCome) onStep();
    return hasCome;
  };
  try {
    await answer.save(file.descriptor, catchUp);
  } finally {
    while (catchUp());
  }
}
