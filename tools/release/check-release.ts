import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Release } from "@svc/releases/release-files";
import { ReleaseRefused } from "@svc/releases/release-refused";
import { verifyRelease } from "@svc/releases/verify-release";
import type { ReleaseConstants } from "./release-constants.ts";

/** Checks it as a client that sees it for the first time does, and every file in it. */
export function checkRelease(
  folder: string,
  product: string,
  { channel, rootKeys }: ReleaseConstants,
): string {
  const read = (name: string) => readFileSync(join(folder, name));
  const maybe = (name: string) => (existsSync(join(folder, name)) ? read(name) : undefined);
  const downloaded = {
    keys: read("keys.json"),
    keysSignature: maybe("keys.json.sig"),
    version: read("version.json"),
    versionSignature: maybe("version.json.sig"),
  };
  const expected = { product, channel, rootKeys, now: new Date(), seen: undefined };
  const { release } = verifyRelease(downloaded, expected);
  const files = [...release.artifacts, ...release.files];
  for (const { url, size, sha256 } of files) {
    const bytes = maybe(url);
    if (bytes === undefined) throw new ReleaseRefused(`${url} is missing.`);
    if (bytes.length !== size) throw new ReleaseRefused(`${url} has ${bytes.length} bytes, not ${size}.`);
    if (createHash("sha256").update(bytes).digest("hex") !== sha256)
      throw new ReleaseRefused(`${url} is not the signed file: its digest differs.`);
  }
  tryHere(folder, release);
  const installer = read("install.sh").toString("utf8");
  const missing = rootKeys.find((key) => !installer.includes(key));
  if (missing !== undefined) throw new ReleaseRefused(`install.sh does not know the root key ${missing}.`);
  return `${product} ${release.version} on ${channel}, number ${release.seq}: ${files.length} files are right, until ${release.expires}`;
}

/** Runs the binary for this machine, if there is one, and compares its version with the signed one. */
function tryHere(folder: string, { product, version, artifacts }: Release): void {
  const here = artifacts.find(
    ({ os, arch, libc }) => os === process.platform && arch === process.arch && libc !== "musl",
  );
  if (here === undefined) return;
  const said = execFileSync(join(folder, here.url), ["--version"], {
    encoding: "utf8",
    timeout: 15_000,
  }).trim();
  if (said !== `${product} ${version}`) throw new ReleaseRefused(`${here.url} reports version ${said}.`);
}
