import { createHash } from "node:crypto";
import { Failure } from "@svc/machine/failure";
import { PartFile } from "@svc/machine/files/part-file";
import { Answer } from "@svc/machine/network/http";
import { fetchRenewing, type Renewable } from "@svc/machine/network/renewable-address";
import type { FileAnswer } from "@svc/protocol/exchange";
import type { Service } from "../network/service.ts";
import type { ProgressLine } from "../progress-line.ts";
import { persevere } from "./persevere.ts";

export type Content = Pick<FileAnswer, "size" | "sha256"> & Renewable;

/** The target: counts and digests the bytes it receives. */
interface Target {
  /** Includes the bytes of an earlier attempt. */
  done: number;
  write(chunk: Uint8Array): void | Promise<void>;
  digest(): string;
}

/** From this size on the runtime writes the file and svc reads behind it: in parallel, 200 MB take half the time. */
const largeBytes = 8_000_000;
const patience = 30_000;

/**
 * Writes to a file that may already have a beginning: continues at its end, and checks the digest of all of it.
 * Progress is shown under the label; one file of many has none.
 */
export async function receiveInto(
  service: Service,
  content: Content,
  path: string,
  label: string | undefined,
  progress: ProgressLine,
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
  service: Service,
  content: Content,
  write: (chunk: Uint8Array) => Promise<void>,
  label: string | undefined,
  progress: ProgressLine,
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
  service: Service,
  content: Content,
  target: Target,
  label: string | undefined,
  progress: ProgressLine,
): Promise<void> {
  const { size, sha256 } = content;
  const work = async () => {
    if (target.done === size) return;
    const isBegun = target.done > 0;
    const answer = await fetchRenewing(service, content, {
      headers: isBegun ? { range: `bytes=${target.done}-`, "if-range": `"${sha256}"` } : undefined,
      silenceMillis: patience,
    });
    if (!answer.ok) throw await service.refusal(answer);
    if (isBegun && answer.status !== 206) throw changed();
    const onStep = () => {
      if (label)
        progress.show({ label: `Receiving ${label}`, done: target.done, total: size, unit: "bytes" });
    };
    const isSaved = Answer.canSave && target instanceof PartFile && !isBegun && size > largeBytes;
    if (isSaved) await follow(target, answer, size, onStep);
    else {
      for await (const chunk of answer.chunks()) {
        if (target.done + chunk.length > size) throw changed();
        await target.write(chunk);
        onStep();
      }
    }
    if (target.done < size) throw service.cut();
  };
  await persevere(service, progress, work, () => target.done);
  if (target.digest() !== sha256) throw changed();
}

/** Digests the file while the runtime writes it. */
async function follow(file: PartFile, answer: Answer, size: number, onStep: () => void): Promise<void> {
  const catchUp = () => {
    const hasCome = file.catchUp();
    if (file.done > size) throw changed();
    if (hasCome) onStep();
    return hasCome;
  };
  try {
    await answer.save(file.descriptor, catchUp);
  } finally {
    while (catchUp());
  }
}

function changed(): Failure {
  return new Failure("internal", "The received data does not match its digest. Nothing was saved.", {
    hint: "Try again.",
  });
}
