import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { keyIdOf, publicKeyOf } from "@svc/releases/signature";

/** Writes the private half to a file for its owner only, never over another; the public half next to it. */
export function makeKey(path: string): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  const publicKey = publicKeyOf(privateKey);
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  writeFileSync(path, pem, { flag: "wx", mode: 0o600 });
  writeFileSync(`${path}.pub`, `${publicKey}\n`, { flag: "wx" });
  return `key ${keyIdOf(publicKey)}
private: ${path} (keep it offline, and a copy elsewhere)
public:  ${publicKey} (also in ${path}.pub)`;
}
