import { createHash } from "node:crypto";
import { PartFile } from "@svc/machine/files/part-file";
import { Answer } from "@svc/machine/network/http";
import { fetchRenewing, type Renewable } from "@svc/machine/network/renewable-address";
import type { FileAnswer } from "@svc/protocol/exchange";
import type { Connection } from "./connection.ts";
import { Mismatch } from "./read-pack.ts";

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

/** Told how many bytes there are, those of an earlier attempt included. */
type OnStep = (done: number) => void;

/** Writes to a file that may already have a beginning: continues at its end, and checks the digest of all of it. */
export async function receiveInto(
  service: Connection,
  content: Content,
  path: string,
  onStep: OnStep,
): Promise<void> {
  const file = new PartFile(path, content.size);
  try {
    await receive(service, content, file, onStep);
  } finally {
    file.close();
  }
}

/** Streams to a reader. */
export async function receiveThrough(
  service: Connection,
  content: Content,
  write: (chunk: Uint8Array) => Promise<void>,
  onStep: OnStep,
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
  await receive(service, content, target, onStep);
}

async function receive(service: Connection, content: Content, target: Target, onStep: OnStep): Promise<void> {
  const { size, sha256, address, below } = content;
  const work = async () => {
    if (target.done === size) return;
    const isBegun = target.done > 0;
    const headers = isBegun ? { range: `bytes=${target.done}-`, "if-range": `"${sha256}"` } : undefined;
    const answer = await fetchRenewing(service, address, { headers, silenceMillis: patience }, below);
    if (!answer.ok) throw await service.refusal(answer);
    if (isBegun && answer.status !== 206) throw new Mismatch();
    const isSaved = Answer.canSave && target instanceof PartFile && !isBegun && size > largeBytes;
    if (isSaved) await follow(target, answer, size, onStep);
    else {
      for await (const chunk of answer.chunks()) {
        if (target.done + chunk.length > size) throw new Mismatch();
        await target.write(chunk);
        onStep(target.done);
      }
    }
    if (target.done < size) throw service.cut();
  };
  await service.persevere(work, () => target.done);
  if (target.digest() !== sha256) throw new Mismatch();
}

/** Digests the file while the runtime writes it. */
async function follow(file: PartFile, answer: Answer, size: number, onStep: OnStep): Promise<void> {
  const catchUp = () => {
    const hasCome = file.catchUp();
    if (file.done > size) throw new Mismatch();
    if (hasCome) onStep(file.done);
    return hasCome;
  };
  try {
    await answer.save(file.descriptor, catchUp);
  } finally {
    while (catchUp());
  }
}
