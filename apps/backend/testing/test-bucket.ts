import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import type { S3Bucket } from "../src/platform/blobs/s3-store.ts";

export interface TestBucket extends Required<S3Bucket> {
  drop(): Promise<void>;
}

/** Installing the endpoint takes a minute or two, once per machine. */
export const testBucketMillis = 10 * 60_000;

/** A separate bucket on a real S3 endpoint: the one that the environment names, otherwise the local one (tools/s3.ts). */
export async function createTestBucket(): Promise<TestBucket> {
  const { endpoint, region } = await findEndpoint();
  const client = new S3Client({ endpoint, region, forcePathStyle: true });
  const bucket = `svc-test-${randomBytes(6).toString("hex")}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    bucket,
    endpoint,
    region,
    drop: async () => {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
        // In parallel: a thousand in sequence took longer than the hook's time limit on a busy machine.
        await Promise.all(
          Contents.map(({ Key }) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))),
        );
      }
      await client.send(new DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
    },
  };
}

async function findEndpoint(): Promise<{ endpoint: string; region: string }> {
  const { SVC_S3_ENDPOINT: endpoint, SVC_S3_REGION: region = "us-east-1" } = process.env;
  if (endpoint) return { endpoint, region };
  const script = fileURLToPath(new URL("../../../tools/s3.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, "up"]);
  const local = JSON.parse(stdout) as Record<
    "endpoint" | "region" | "accessKeyId" | "secretAccessKey",
    string
  >;
  // Where the SDK finds them in production too. Each test file has its own environment.
  process.env.AWS_ACCESS_KEY_ID = local.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = local.secretAccessKey;
  return local;
}
