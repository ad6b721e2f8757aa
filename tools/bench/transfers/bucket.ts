import { randomBytes } from "node:crypto";
import { localS3 } from "../../local-server/local-s3.ts";
import { startRooted } from "../../local-server/rooted-server.ts";
import { runToEnd } from "./rival.ts";

export interface Bucket extends AsyncDisposable {
  /** As rclone writes it. */
  remote: string;
  /** For an API that keeps its contents there. */
  settings: Record<string, string>;
}

/** A new one at the local S3 gateway. */
export async function createBucket(): Promise<Bucket> {
  const { endpoint, region, accessKeyId, secretAccessKey } = await startRooted(localS3);
  const name = `svc-bench-${randomBytes(6).toString("hex")}`;
  const remote =
    `:s3,provider=Ceph,endpoint="${endpoint}",access_key_id=${accessKeyId},` +
    `secret_access_key=${secretAccessKey}:${name}`;
  await runToEnd(["rclone", "mkdir", remote]);
  return {
    remote,
    settings: {
      SVC_S3_BUCKET: name,
      SVC_S3_ENDPOINT: endpoint,
      SVC_S3_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    [Symbol.asyncDispose]: () => runToEnd(["rclone", "purge", remote]),
  };
}
