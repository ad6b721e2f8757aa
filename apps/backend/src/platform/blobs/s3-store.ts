import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { type BlobStore, type ByteRange, type OwnFile, parseBlobKey, type Written } from "./blob-store.ts";
import { forEach } from "./for-each.ts";
import { uploadToS3 } from "./s3-upload.ts";

export interface S3Bucket {
  bucket: string;
  region: string;
  /** Amazon's own if absent. */
  endpoint?: string;
}

/** S3 allows no smaller parts, and 10,000 of them. Four of them are held in memory, so that one can be sent again. */
const partBytes = 5 * 1024 ** 2;
const mostParts = 10_000;
const filesAtOnce = 16;
const readBytes = 512 * 1_024;

/** Objects of one bucket. Credentials come from where Amazon's own tools find them (AWS_ACCESS_KEY_ID and so on). */
export class S3Store implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;

  /**
   * `answerMillis`: from sending to the beginning of the answer; a part of 5 MB over a line of 5 Mbit/s. Three attempts
   * end before a command times out, so that the answer can say that the store is silent.
   */
  constructor({ bucket, region, endpoint }: S3Bucket, { answerMillis = 8_000 } = {}) {
    this.#bucket = bucket;
    this.#client = new S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint }),
      forcePathStyle: true,
      maxAttempts: 3,
      requestHandler: {
        connectionTimeout: 3_000,
        requestTimeout: answerMillis,
        throwOnRequestTimeout: true,
        // Longer than the server lets who downloads be silent: it has the first word.
        socketTimeout: 90_000,
        // Each download holds one; the default of 50 would let slow readers keep everybody from writing.
        httpAgent: { keepAlive: true, maxSockets: 1_000 },
        httpsAgent: { keepAlive: true, maxSockets: 1_000 },
      },
      // The signature covers the SHA-256 of every part that is sent. More checksums are not known to every endpoint.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    });
  }

  write(key: string, content: Readable): Promise<Written> {
    return this.#write(key, content, partBytes);
  }

  /** Parts of a multipart upload would have to come in order and hold 5 MB each: what was received is sent once. */
  async adopt(files: readonly OwnFile[]): Promise<void> {
    await forEach(files, filesAtOnce, async ({ key, place, size, sha256 }) => {
      const partSize = Math.max(partBytes, Math.ceil(size / mostParts));
      const written = await this.#write(key, createReadStream(place, { highWaterMark: readBytes }), partSize);
      if (written.sha256 !== sha256) throw new Error(`${place} is not what was received`);
    });
  }

  async #write(key: string, content: Readable, partSize: number): Promise<Written> {
    const object = { Bucket: this.#bucket, Key: key };
    try {
      return await uploadToS3({ client: this.#client, object, partSize }, content);
    } catch (error) {
      // If only the answer to the last request was lost, the object is complete.
      await this.remove(key).catch(() => {});
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const { Body } = await this.#client.send(
      new GetObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
      }),
    );
    return Body as Readable;
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  async *list(before: Date): AsyncIterable<string> {
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket },
    )) {
      for (const { Key, LastModified } of Contents) {
        if (Key && parseBlobKey(Key) && LastModified && LastModified < before) yield Key;
      }
    }
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), { abortSignal: signal });
  }

  async removeUnfinished(before: Date): Promise<number> {
    let removed = 0;
    let page: Pick<ListMultipartUploadsCommandInput, "KeyMarker" | "UploadIdMarker"> | undefined = {};
    while (page) {
      const found: ListMultipartUploadsCommandOutput = await this.#client.send(
        new ListMultipartUploadsCommand({ Bucket: this.#bucket, ...page }),
      );
      for (const { Key, UploadId, Initiated } of found.Uploads ?? []) {
        if (!Key || !parseBlobKey(Key) || !Initiated || Initiated >= before) continue;
        await this.#client.send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }));
        removed += 1;
      }
      page = found.IsTruncated
        ? { KeyMarker: found.NextKeyMarker, UploadIdMarker: found.NextUploadIdMarker }
        : undefined;
    }
    return removed;
  }
}
