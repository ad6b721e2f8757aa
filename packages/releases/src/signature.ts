import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { ReleaseRefused } from "./release-refused.ts";

/** The two files of a release that are signed. */
export type SignedName = "keys.json" | "version.json";

/** Prepended to the bytes: a signature for one file can never pass for the other, or for anything else. */
const domains: Record<SignedName, string> = {
  "keys.json": "svc-release-keys-v1\n",
  "version.json": "svc-release-version-v1\n",
};

export interface Signature {
  keyId: string;
  /** Ed25519, in base64. */
  signature: string;
}

/** Derived from the key, so that an id cannot be given to another key. */
export function keyIdOf(publicKey: string): string {
  return createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("hex").slice(0, 16);
}

/** The form used everywhere: SPKI in base64. */
export function publicKeyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("base64");
}

export function signFile(name: SignedName, bytes: Uint8Array, privateKey: KeyObject): Signature {
  return {
    keyId: keyIdOf(publicKeyOf(privateKey)),
    signature: sign(null, signedBytes(name, bytes), privateKey).toString("base64"),
  };
}

export function isSignedBy(
  publicKey: string,
  name: SignedName,
  bytes: Uint8Array,
  { signature }: Signature,
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    // Other kinds of keys are verified by other rules, some of them weaker.
    if (key.asymmetricKeyType !== "ed25519") return false;
    return verify(null, signedBytes(name, bytes), key, Buffer.from(signature, "base64"));
  } catch {
    // Something that is not a key has signed nothing.
    return false;
  }
}

export function readSignature(name: SignedName, bytes: Uint8Array | undefined): Signature {
  if (bytes === undefined) throw new ReleaseRefused(`${name} is not signed.`);
  try {
    const { keyId, signature } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Record<string, unknown>;
    if (typeof keyId === "string" && typeof signature === "string") return { keyId, signature };
  } catch {
    // Told below.
  }
  throw new ReleaseRefused(`The signature of ${name} is malformed.`);
}

function signedBytes(name: SignedName, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(domains[name]), bytes]);
}
