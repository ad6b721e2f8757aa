import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * `svc_sa_<id>_<secret><crc>`: the id is looked up, the secret is 256 random bits kept only as a hash, the checksum
 * turns typing errors and noise away before any lookup, and the prefix lets secret scanners find a leaked one.
 */
export interface ServiceToken {
  credentialId: string;
  secret: string;
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const idLength = 22;
const secretLength = 43;
const checksumLength = 6;
const pattern = new RegExp(
  `^svc_sa_([0-9A-Za-z]{${idLength}})_([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

export function newSecret(): string {
  return toBase62(BigInt(`0x${randomBytes(32).toString("hex")}`), secretLength);
}

export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

export function formatServiceToken({ credentialId, secret }: ServiceToken): string {
  const body = `svc_sa_${toBase62(BigInt(`0x${credentialId.replaceAll("-", "")}`), idLength)}_${secret}`;
  return body + checksum(body);
}

export function parseServiceToken(text: string): ServiceToken | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, id, secret, sum] = match as unknown as [string, string, string, string];
  if (checksum(text.slice(0, -checksumLength)) !== sum) return undefined;
  const hex = fromBase62(id).toString(16).padStart(32, "0");
  if (hex.length !== 32) return undefined;
  const credentialId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { credentialId, secret };
}

/** 62⁶ is more than 2³², so six digits are enough; a plain number, because every request computes one. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let index = 0; index < checksumLength; index += 1) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function toBase62(value: bigint, length: number): string {
  let rest = value;
  let text = "";
  for (let index = 0; index < length; index += 1) {
    text = alphabet.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

function fromBase62(text: string): bigint {
  let value = 0n;
  for (const character of text) value = value * 62n + BigInt(alphabet.indexOf(character));
  return value;
}
