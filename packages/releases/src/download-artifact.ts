import { createHash } from "node:crypto";
import { closeSync, fchmodSync, fsyncSync, openSync, writeSync } from "node:fs";
import { Failure } from "@svc/machine/failure";
import { NetworkFailure } from "@svc/machine/network/network-failure";
import type { ReleaseFile } from "@svc/releases/release-files";
import { requestFile } from "./fetch-release.ts";

/** Large, so that a hundred megabytes take a hundred writes and not thousands. */
const blockBytes = 1_024 * 1_024;

/**
 * Downloads to a new file, which is complete, on disk and executable afterwards. Written synchronously: the folder
 * changes in the order of this code, and every step can be tested.
 */
export async function downloadArtifact(
  address: URL,
  { size, sha256 }: ReleaseFile,
  path: string,
  agent: string,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<void> {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    let done = 0;
    for await (const block of blocks(persistent(address, agent, signal))) {
      done += block.length;
      if (done > size) throw new Failure("updateRefused", `${address.href} is larger than was signed.`);
      hash.update(block);
      for (let at = 0; at < block.length; ) at += writeSync(descriptor, block, at);
      onProgress(done);
    }
    if (done < size) {
      throw new Failure("updateRefused", `${address.href} ends after ${done} of ${size} bytes.`);
    }
    if (hash.digest("hex") !== sha256) {
      throw new Failure("updateRefused", `${address.href} is not the signed file: its digest differs.`);
    }
    fchmodSync(descriptor, 0o755);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Resumes after interruptions, as long as something arrives in between. */
async function* persistent(address: URL, agent: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let done = 0; ; ) {
    const before = done;
    try {
      const answer = await requestFile(address, agent, signal, done);
      if (answer === undefined) throw new Failure("updateRefused", `${address.href} is missing.`);
      if (done > 0 && answer.status !== 206) {
        throw new NetworkFailure("noNetwork", `The connection to ${address.host} was interrupted.`, {
          hint: "Try again.",
        });
      }
      for await (const chunk of answer.chunks()) {
        done += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (!(error instanceof NetworkFailure && error.wasSent) || done === before) throw error;
    }
  }
}

async function* blocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size < blockBytes) continue;
    yield Buffer.concat(pending);
    [pending, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(pending);
}
