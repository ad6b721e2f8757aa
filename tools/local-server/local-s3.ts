import {
  debianRootFolder,
  debianRootLock,
  installPackages,
  reasonAgainstDebianRoot,
  updatePackageLists,
} from "./debian-root.ts";
import { withExclusiveLock } from "./exclusive-lock.ts";
import { installPostgres } from "./install-postgres.ts";
import { isPostgresInstalled } from "./postgres-cluster.ts";
import {
  isGatewayInstalled,
  type RunningGateway,
  runningGateway,
  startGateway,
  stopGateway,
} from "./radosgw.ts";

/** Installs it where it is not there yet; the one that runs already where one does. */
export async function startLocalS3(): Promise<RunningGateway> {
  const running = runningGateway();
  if (running) return running;
  const obstacle = reasonAgainstDebianRoot();
  if (obstacle) {
    throw new Error(
      `No local S3 endpoint can be made here: ${obstacle}. Name one with SVC_S3_ENDPOINT, SVC_S3_REGION, ` +
        "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; tests make and remove buckets of their own.",
    );
  }
  return await withExclusiveLock(debianRootLock(), async (lock) => {
    if (!isPostgresInstalled()) installPostgres(lock);
    if (!isGatewayInstalled()) {
      console.error(`installing radosgw in ${debianRootFolder()}, some minutes, once`);
      updatePackageLists(debianRootFolder(), lock);
      installPackages(debianRootFolder(), lock, ["radosgw"]);
    }
    return runningGateway() ?? (await startGateway());
  });
}

/** Returns what happened. */
export async function stopLocalS3(): Promise<string> {
  if (!runningGateway()) return "nothing to stop: the local S3 endpoint does not run";
  return await withExclusiveLock(debianRootLock(), async () => {
    const running = runningGateway();
    if (running) await stopGateway(running);
    return "stopped the local S3 endpoint; what it held is gone";
  });
}
