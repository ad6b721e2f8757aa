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

/** A server in the Debian root beside PostgreSQL: one for all checkouts of a machine. */
export interface RootedServer<Running> {
  /** As people read it. */
  is: string;
  /** What to do if none can be created. */
  instead: string;
  /** Its package, and how long the installation takes. */
  package: string;
  takes: string;
  /** Stopping it deletes its content. */
  isEmptiedAtEnd: boolean;
  isInstalled(): boolean;
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
    if (!isPostgresInstalled()) installPostgres(lock);
    if (!server.isInstalled()) {
      console.error(`installing ${server.package} in ${debianRootFolder()}, ${server.takes}, once`);
      updatePackageLists(debianRootFolder(), lock);
      installPackages(debianRootFolder(), lock, [server.package]);
    }
    return server.running() ?? (await server.start());
  });
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
