import { Failure } from "@svc/machine/failure";
import { StateFile } from "@svc/machine/files/state-file";
import { userAgent } from "@svc/machine/network/user-agent";
import { isMapOf, isNumber, isShape, isText } from "@svc/protocol/shape";
import type { Release } from "@svc/releases/release-files";
import { ReleaseRefused } from "@svc/releases/release-refused";
import { type SeenRelease, verifyRelease } from "@svc/releases/verify-release";
import { fetchRelease, releaseFolder } from "./fetch-release.ts";
import type { ReleaseSource } from "./release-source.ts";

/** The last accepted release, by address: exposes an old release that is offered again. */
type SeenReleases = Record<string, SeenRelease>;

const isMark = isShape<SeenRelease["keys"]>({ seq: isNumber, sha256: isText });
const isSeen = isMapOf(isShape<SeenRelease>({ keys: isMark, version: isMark, minSafe: isText }));

function seenReleases(environment: NodeJS.ProcessEnv): StateFile<SeenReleases> {
  return new StateFile(environment, "updates.json", (value): value is SeenReleases => isSeen(value));
}

/** The current release, with every signature checked. */
export async function findRelease(
  source: ReleaseSource,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ folder: URL; release: Release }> {
  const { product, channel, rootKeys } = source;
  const folder = releaseFolder(source.url);
  const downloaded = await fetchRelease(folder, userAgent(product, source.version), signal);
  const file = seenReleases(environment);
  const all = (await file.read()) ?? {};
  const seen = all[folder.href];
  const found = refusing(() =>
    verifyRelease(downloaded, { product, channel, rootKeys, now: new Date(), seen }),
  );
  // Before anything is installed: a machine that has seen a release never accepts an older one, whatever happens in
  // between.
  if (JSON.stringify(seen) !== JSON.stringify(found.seen)) {
    await file.write({ ...all, [folder.href]: found.seen });
  }
  return { folder, release: found.release };
}

/** A rollback must not go below this either; undefined if no release has been seen yet. */
export async function oldestSafe(
  { url }: ReleaseSource,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return (await seenReleases(environment).read())?.[releaseFolder(url).href]?.minSafe;
}

/** A refused release ends a program like any other failure. */
export function refusing<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ReleaseRefused)) throw error;
    const { message, hint } = error;
    throw new Failure("updateRefused", message, { hint, cause: error });
  }
}
