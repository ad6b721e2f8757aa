import { createHash } from "node:crypto";
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { countBlock } from "../process/collect-blocks.ts";
import type { Written } from "./blob-store.ts";

interface Target {
  client: S3Client;
  object: { Bucket: string; Key: string };
  partSize: number;
}

const partsAtOnce = 4;

/** What is not longer than a part is one request. If this fails, the object may be complete. */
export async function uploadToS3(target: Target, content: AsyncIterable<Buffer>): Promise<Written> {
  const { client, object, partSize } = target;
  const digest = createHash("sha256");
  let size = 0;
  let held: Buffer[] = [];
  let parts: PartUpload | undefined;
  try {
    for await (const block of content) {
      digest.update(block);
      size += block.length;
      countBlock(block.length);
      if (parts) await parts.add(block);
      else held.push(block);
      if (parts || size <= partSize) continue;
      parts = await PartUpload.begin(target);
      for (const early of held) await parts.add(early);
      held = [];
    }
    if (parts) await parts.complete();
    else await client.send(new PutObjectCommand({ ...object, Body: Buffer.concat(held) }));
  } catch (error) {
    await parts?.abort();
    throw error;
  }
  return { size, sha256: digest.digest("hex") };
}

/** A part on its way, or being filled. */
interface Lane {
  buffer: Buffer;
  sent: Promise<void>;
}

/**
 * All parts go through the same few buffers. With a new one for each, collecting them took as long as sending them: they
 * live too long to be collected early.
 */
class PartUpload {
  readonly #target: Target;
  readonly #uploadId: string | undefined;
  readonly #lanes: Lane[] = [];
  readonly #parts: CompletedPart[] = [];
  #number = 0;
  #filled = 0;

  private constructor(target: Target, uploadId: string | undefined) {
    this.#target = target;
    this.#uploadId = uploadId;
  }

  static async begin(target: Target): Promise<PartUpload> {
    const { UploadId } = await target.client.send(new CreateMultipartUploadCommand(target.object));
    return new PartUpload(target, UploadId);
  }

  /** Waits for a part that was sent before if all are on their way. Throws if it failed. */
  async add(block: Buffer): Promise<void> {
    for (let taken = 0; taken < block.length; ) {
      const lane = this.#lane();
      await lane.sent;
      const copied = block.copy(lane.buffer, this.#filled, taken);
      taken += copied;
      this.#filled += copied;
      if (this.#filled === lane.buffer.length) this.#send(lane);
    }
  }

  async complete(): Promise<void> {
    if (this.#filled > 0) this.#send(this.#lane());
    await Promise.all(this.#lanes.map(({ sent }) => sent));
    const { client, object } = this.#target;
    const MultipartUpload = { Parts: this.#parts };
    await client.send(
      new CompleteMultipartUploadCommand({ ...object, UploadId: this.#uploadId, MultipartUpload }),
    );
  }

  /** Parts that arrive after it would stay. */
  async abort(): Promise<void> {
    await Promise.allSettled(this.#lanes.map(({ sent }) => sent));
    const { client, object } = this.#target;
    // What it leaves is removed with the remains of dead processes.
    await client
      .send(new AbortMultipartUploadCommand({ ...object, UploadId: this.#uploadId }))
      .catch(() => {});
  }

  #lane(): Lane {
    const place = this.#number % partsAtOnce;
    this.#lanes[place] ??= {
      buffer: Buffer.allocUnsafeSlow(this.#target.partSize),
      sent: Promise.resolve(),
    };
    return this.#lanes[place];
  }

  #send(lane: Lane): void {
    const { client, object } = this.#target;
    const body = lane.buffer.subarray(0, this.#filled);
    this.#filled = 0;
    this.#number += 1;
    const PartNumber = this.#number;
    const part = new UploadPartCommand({ ...object, UploadId: this.#uploadId, PartNumber, Body: body });
    lane.sent = client.send(part).then(({ ETag }) => {
      this.#parts[PartNumber - 1] = { PartNumber, ETag };
    });
    // It is awaited when its buffer is needed again, or at the end.
    lane.sent.catch(() => {});
  }
}
