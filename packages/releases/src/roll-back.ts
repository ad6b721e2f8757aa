import { existsSync } from "node:fs";
import { Failure } from "@svc/machine/failure";
import { isOlder } from "@svc/releases/is-older";
import { oldestSafe } from "./find-release.ts";
import { refusingDisk } from "./install-release.ts";
import { type Installation, refuseForeign } from "./installation.ts";
import type { ReleaseSource } from "./release-source.ts";
import { swapBinaries } from "./replace-binary.ts";
import { removeLeftovers } from "./temporary-files.ts";
import { versionOf } from "./version-of.ts";

/** Goes back to the previous version, if it still runs and is safe. Returns that version. */
export async function rollBack(
  source: ReleaseSource,
  environment: NodeJS.ProcessEnv,
  installation: Installation,
): Promise<string> {
  const { product, path, previous } = installation;
  if (!existsSync(previous)) {
    throw new Failure("notFound", `There is no version to go back to: ${previous} is missing.`);
  }
  refuseForeign(installation);
  const version = versionOf(product, previous);
  if (version === undefined) {
    throw new Failure("updateRefused", `${previous} does not run. Nothing was changed.`);
  }
  const minSafe = await oldestSafe(source, environment);
  if (minSafe !== undefined && isOlder(version, minSafe)) {
    throw new Failure(
      "updateRefused",
      `${product} ${version} is not safe: ${minSafe} is the oldest that is.`,
    );
  }
  await refusingDisk(path, async () => {
    removeLeftovers(installation);
    swapBinaries(installation);
  });
  return version;
}
