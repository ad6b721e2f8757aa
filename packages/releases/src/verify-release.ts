import { createHash } from "node:crypto";
import { type Release, type ReleaseKeys, readKeys, readRelease, type SigningKey } from "./release-files.ts";
import { ReleaseRefused } from "./release-refused.ts";
import { isSignedBy, keyIdOf, readSignature, type SignedName } from "./signature.ts";

/** As downloaded; undefined if missing. */
export interface DownloadedRelease {
  keys: Uint8Array;
  keysSignature: Uint8Array | undefined;
  version: Uint8Array;
  versionSignature: Uint8Array | undefined;
}

/** What was accepted last: time only moves forward. */
export interface SeenRelease {
  keys: Mark;
  version: Mark;
  minSafe: string;
}

interface Mark {
  seq: number;
  sha256: string;
}

export interface Expectation {
  product: string;
  channel: string;
  /** Ed25519, SPKI in base64. */
  rootKeys: readonly string[];
  now: Date;
  seen: SeenRelease | undefined;
}

/** Follows the signatures from a root key to the release. Throws ReleaseRefused at the first problem. */
export function verifyRelease(
  downloaded: DownloadedRelease,
  { product, channel, rootKeys, now, seen }: Expectation,
): { release: Release; seen: SeenRelease } {
  const keys = verifyKeys(downloaded, rootKeys);
  refuseOther("keys.json", "the product", keys.product, product);
  refuseOutdated("keys.json", keys, now);
  const keysMark = forward("keys.json", keys.seq, downloaded.keys, seen?.keys);

  const release = verifyVersion(downloaded, keys, rootKeys, now);
  refuseOther("version.json", "the product", release.product, product);
  refuseOther("version.json", "the channel", release.channel, channel);
  refuseOutdated("version.json", release, now);
  const versionMark = forward("version.json", release.seq, downloaded.version, seen?.version);
  return { release, seen: { keys: keysMark, version: versionMark, minSafe: release.minSafe } };
}

function verifyKeys({ keys, keysSignature }: DownloadedRelease, rootKeys: readonly string[]): ReleaseKeys {
  const signature = readSignature("keys.json", keysSignature);
  const root = rootKeys.find((key) => keyIdOf(key) === signature.keyId);
  if (root === undefined) throw unknownKey("keys.json", signature.keyId);
  if (!isSignedBy(root, "keys.json", keys, signature)) throw tampered("keys.json");
  return readKeys(keys);
}

function verifyVersion(
  { version, versionSignature }: DownloadedRelease,
  { keys }: ReleaseKeys,
  rootKeys: readonly string[],
  now: Date,
): Release {
  const signature = readSignature("version.json", versionSignature);
  // A root key that signs releases is not offline, even if keys.json lists it.
  if (rootKeys.some((key) => keyIdOf(key) === signature.keyId)) {
    throw new ReleaseRefused("version.json is signed with a root key, which may sign keys.json only.");
  }
  const key = keys.find(({ id, publicKey }) => id === signature.keyId && keyIdOf(publicKey) === id);
  if (key === undefined) throw unknownKey("version.json", signature.keyId);
  if (!isSignedBy(key.publicKey, "version.json", version, signature)) throw tampered("version.json");
  refuseInvalid(key, now);
  return readRelease(version);
}

function refuseInvalid({ id, notBefore, notAfter }: SigningKey, now: Date): void {
  if (now < new Date(notBefore) || now > new Date(notAfter)) {
    throw new ReleaseRefused(
      `The key ${id} that signed version.json is good from ${notBefore} to ${notAfter} only.`,
      clockHint(now),
    );
  }
}

function refuseOther(name: SignedName, what: string, found: string, wanted: string): void {
  if (found !== wanted) throw new ReleaseRefused(`${name} is for ${what} ${found}, not ${wanted}.`);
}

function refuseOutdated(name: SignedName, { expires }: { expires: string }, now: Date): void {
  if (now > new Date(expires)) throw new ReleaseRefused(`${name} expired at ${expires}.`, clockHint(now));
}

function forward(name: SignedName, seq: number, bytes: Uint8Array, seen: Mark | undefined): Mark {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (seen !== undefined && seq < seen.seq) {
    throw new ReleaseRefused(
      `${name} is number ${seq}, but number ${seen.seq} was seen before.`,
      "Somebody may be offering you an old release again. Try another network.",
    );
  }
  if (seen !== undefined && seq === seen.seq && sha256 !== seen.sha256) {
    throw new ReleaseRefused(`${name} has the known number ${seq}, but different content.`);
  }
  return { seq, sha256 };
}

function unknownKey(name: SignedName, keyId: string): ReleaseRefused {
  return new ReleaseRefused(`${name} is signed with the key ${keyId}, which may not sign it.`);
}

function tampered(name: SignedName): ReleaseRefused {
  return new ReleaseRefused(
    `${name} is not what was signed.`,
    "If a release is being published just now, try again in a minute.",
  );
}

function clockHint(now: Date): string {
  return `This machine's clock says ${now.toISOString()}. If it is right, no newer release reaches you.`;
}
