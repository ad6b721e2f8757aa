import { mkdirSync, readFileSync } from "node:fs";
import type { ReleaseKeys } from "@svc/releases/release-files";
import { keyIdOf, publicKeyOf } from "@svc/releases/signature";
import { daysFrom, instant, layOut, nextSeq, readPrivateKey, writeSigned } from "./signed-file.ts";

export interface KeysOrder {
  folder: string;
  product: string;
  rootKey: string;
  /** Files with public keys: all keys that may sign from now on. A key that is left out may no longer sign. */
  signingKeys: readonly string[];
  days: number;
}

export function writeKeys({ folder, product, rootKey, signingKeys, days }: KeysOrder): string {
  const root = readPrivateKey(rootKey);
  const now = new Date();
  const [issued, expires] = [instant(now), instant(daysFrom(now, days))];
  const keys = signingKeys.map((path) => {
    const publicKey = readFileSync(path, "utf8").trim();
    if (!/^[A-Za-z0-9+/]{59}=$/.test(publicKey)) throw new Error(`${path} does not contain a public key.`);
    if (publicKey === publicKeyOf(root))
      throw new Error("A root key must not sign releases; create a separate signing key.");
    // An hour for clocks that are behind.
    const notBefore = instant(daysFrom(now, -1 / 24));
    return { id: keyIdOf(publicKey), publicKey, notBefore, notAfter: expires };
  });
  mkdirSync(folder, { recursive: true });
  const file: ReleaseKeys = { product, seq: nextSeq(folder, "keys.json"), issued, expires, keys };
  writeSigned(folder, "keys.json", layOut({ ...file }), root);
  return `keys.json number ${file.seq}: ${keys.map(({ id }) => id).join(", ")}, until ${expires}`;
}
