import { originOf } from "../process/dependency.ts";

/** `full`: no space left, or the quota is used up. `unreachable`: it cannot be used at all right now. */
export type StoreFailure = "full" | "unreachable";

const full = new Set(["ENOSPC", "EDQUOT"]);
/** Of sockets, and of a disk that is broken, gone, read-only or not ours. */
const unreachable =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|EIO|ENODEV|ENXIO|EROFS|ESTALE|EACCES|EPERM)$/;
/** S3 does not know our key, or not the bucket: no request can succeed, whatever it asks for. */
const misconfigured = new Set([
  "AccessDenied",
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "NoSuchBucket",
]);

interface ErrorOfStore extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** What an error of the blob store means to a caller, or undefined if it came from elsewhere or is our mistake. */
export function storeFailure(error: unknown): StoreFailure | undefined {
  if (originOf(error) !== "store") return undefined;
  const { name, code = "", $metadata } = error as ErrorOfStore;
  if (full.has(code)) return "full";
  const { httpStatusCode: status = 0 } = $metadata ?? {};
  if (status >= 500 || status === 429 || name === "TimeoutError") return "unreachable";
  return misconfigured.has(name) || unreachable.test(code) ? "unreachable" : undefined;
}
