import { isOlder } from "./is-older.ts";
import type { Artifact, Platform, Release } from "./release-files.ts";
import { ReleaseRefused } from "./release-refused.ts";

/** The artifact to install over the current version. Undefined if that is already the release. */
export function chooseArtifact(
  release: Release,
  platform: Platform,
  current: string,
  { allowOlder }: { allowOlder: boolean },
): Artifact | undefined {
  const { product, version, minSafe, yanked, artifacts } = release;
  if (yanked.includes(version)) throw new ReleaseRefused(`${product} ${version} was withdrawn.`);
  if (version === current) return undefined;
  if (isOlder(version, minSafe)) {
    throw new ReleaseRefused(`${product} ${version} is not safe: ${minSafe} is the oldest safe version.`);
  }
  if (isOlder(version, current) && !allowOlder) {
    const withdrawn = yanked.includes(current) ? ", and your version was withdrawn" : "";
    throw new ReleaseRefused(
      `The release is ${product} ${version}, older than ${current}, which is here${withdrawn}.`,
      `To go back to it: ${product} update --allow-older`,
    );
  }
  const found = artifacts.find(
    ({ os, arch, libc }) => os === platform.os && arch === platform.arch && libc === platform.libc,
  );
  if (found !== undefined) return found;
  const name = [platform.os, platform.arch, platform.libc].filter(Boolean).join(" ");
  throw new ReleaseRefused(`${product} ${version} has no build for ${name}.`);
}
