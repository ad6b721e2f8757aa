import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isOlder } from "@svc/releases/is-older";
import type { Release, ReleaseFile } from "@svc/releases/release-files";
import type { ReleaseConstants } from "./release-constants.ts";
import { daysFrom, instant, layOut, nextSeq, readPrivateKey, writeSigned } from "./signed-file.ts";
import { targets } from "./targets.ts";
import { writeInstaller } from "./write-installer.ts";
import { writeSbom } from "./write-sbom.ts";

export interface ReleaseOrder {
  folder: string;
  artifacts: string;
  signingKey: string;
  constants: ReleaseConstants;
  product: string;
  version: string;
  minSafe: string;
  yanked: string[];
  days: number;
}

const client = join(import.meta.dirname, "../../apps/cli");

/**
 * Copies the artifacts into a folder for their version, so that those of the previous version stay valid, and signs
 * them.
 */
export function writeRelease(order: ReleaseOrder): string {
  const { folder, artifacts, product, version, minSafe, yanked, constants } = order;
  if (isOlder(version, minSafe)) throw new Error(`${version} is older than --min-safe ${minSafe}.`);
  if (yanked.includes(version)) throw new Error(`${version} is withdrawn by --yank.`);
  const now = new Date();
  mkdirSync(join(folder, version), { recursive: true });
  const signFor = (name: string): ReleaseFile => {
    const url = `${version}/${name}`;
    const bytes = readFileSync(join(folder, url));
    return { url, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  };
  const add = (source: string, name: string): ReleaseFile => {
    copyFileSync(source, join(folder, version, name));
    return signFor(name);
  };
  const built = targets.filter(({ name }) => existsSync(join(artifacts, name)));
  if (built.length === 0) throw new Error(`${artifacts} contains no output of npm run build:cli.`);
  const sbom = `${product}.cdx.json`;
  writeSbom(join(folder, version, sbom), product, version);
  const file: Release = {
    product,
    channel: constants.channel,
    seq: nextSeq(folder, "version.json"),
    issued: instant(now),
    expires: instant(daysFrom(now, order.days)),
    version,
    minSafe,
    yanked,
    artifacts: built.map(({ name, os, arch, libc }) => ({
      os,
      arch,
      ...(libc === undefined ? {} : { libc }),
      ...add(join(artifacts, name), name),
    })),
    files: [...extraFiles().map(([source, name]) => add(source, name)), signFor(sbom)],
  };
  writeSigned(folder, "version.json", layOut({ ...file }), readPrivateKey(order.signingKey));
  writeInstaller(folder, constants);
  return `version.json number ${file.seq}: ${product} ${version} for ${built.length} platforms, until ${file.expires}`;
}

/** The manual and the completions. */
function extraFiles(): [source: string, name: string][] {
  return ["man", "completions"].flatMap((place) => {
    const folder = join(client, place);
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) =>
      ["svc.1", "svc.bash", "_svc", "svc.fish"].includes(name),
    );
    return names.map((name): [string, string] => [join(folder, name), name]);
  });
}
