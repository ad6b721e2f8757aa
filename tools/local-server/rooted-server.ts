import {
  debianRootFolder,
  debianRootLock,
  installPackages,
  reasonAgainstDebianRoot,
  updatePackageLists,
} from "./debian-root.ts";
import { type HeldLock, withExclusiveLock } from "./exclusive-lock.ts";
import { installPostgres } from "./install-postgres.ts";
import { isPostgresInstalled } from "./postgres-cluster.ts";

interface Installation {
  packages: string[];
  /** How long it takes. */
  takes: string;
  isInstalled(): boolean;
}

/** A server in the Debian root beside PostgreSQL: one for all checkouts of a machine. */
export interface RootedServer<Running> extends Installation {
  /** As people read it. */
  is: string;
  /** What to do if none can be created. */
  instead: string;
  /** Stopping it deletes its content. */
  isEmptiedAtEnd: boolean;
  running(): Running | undefined;
  start(): Promise<Running>;
  stop(running: Running): Promise<void>;
}

/** Installs it if it is missing, and returns the running one if there is one. */
export async function startRooted<Running>(server: RootedServer<Running>): Promise<Running> {
  const running = server.running();
  if (running) return running;
  const obstacle = reasonAgainstDebianRoot();
  if (obstacle) throw new Error(`No ${server.is} can be set up here: ${obstacle}. ${server.instead}`);
  return await withExclusiveLock(debianRootLock(), async (lock) => {
    installMissing(lock, server);
    return server.running() ?? (await server.start());
  });
}

/** PostgreSQL comes with the root. */
export function installMissing(lock: HeldLock, { isInstalled, packages, takes }: Installation): void {
  if (!isPostgresInstalled()) installPostgres(lock);
  if (isInstalled()) return;
  console.error(`installing ${packages.join(", ")} in ${debianRootFolder()}, ${takes}, once`);
  updatePackageLists(debianRootFolder(), lock);
  installPackages(debianRootFolder(), lock, packages);
}

/** Returns what happened. */
export async function stopRooted<Running>(server: RootedServer<Running>): Promise<string> {
  if (!server.running()) return `nothing to stop: the ${server.is} does not run`;
  return await withExclusiveLock(debianRootLock(), async () => {
    const running = server.running();
    if (running) await server.stop(running);
    return `stopped the ${server.is}${server.isEmptiedAtEnd ? "; its content is deleted" : ""}`;
  });
}
