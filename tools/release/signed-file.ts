import { createPrivateKey, type KeyObject } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SignedName, signFile } from "@svc/releases/signature";

/** Writes a file of the release and its signature next to it. */
export function writeSigned(folder: string, name: SignedName, text: string, privateKey: KeyObject): void {
  const bytes = Buffer.from(text);
  writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, `${name}.sig`), `${JSON.stringify(signFile(name, bytes, privateKey))}\n`);
}

export function readPrivateKey(path: string): KeyObject {
  const key = createPrivateKey(readFileSync(path));
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`${path} does not contain an Ed25519 key.`);
  return key;
}

/** One more than that of the existing file. */
export function nextSeq(folder: string, name: SignedName): number {
  const path = join(folder, name);
  if (!existsSync(path)) return 1;
  return (JSON.parse(readFileSync(path, "utf8")) as { seq: number }).seq + 1;
}

/** To the second, as in the files. */
export function instant(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}

export function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * 86_400_000);
}

/** One line per list entry, in the order of its fields: install.sh reads it by line. */
export function layOut(fields: Record<string, unknown>): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    const isLong = Array.isArray(value) && typeof value[0] === "object";
    const shown = isLong
      ? `[\n${value.map((entry) => `    ${JSON.stringify(entry)}`).join(",\n")}\n  ]`
      : JSON.stringify(value);
    return `  ${JSON.stringify(name)}: ${shown}`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}
