import { createConnection } from "node:net";
import { setTimeout } from "node:timers/promises";
import { localServerPort } from "@svc/database/development-server";
import { debianRootFolder, debianRootLock, reasonAgainstDebianRoot } from "./debian-root.ts";
import { withExclusiveLock } from "./exclusive-lock.ts";
import { installPostgres } from "./install-postgres.ts";
import { isPostgresInstalled, runningCluster, startCluster, stopCluster } from "./postgres-cluster.ts";
import type { ClusterName } from "./postgres-settings.ts";

const COMPOSE_URL = "postgres://postgres:postgres@127.0.0.1:54318/postgres";
/** As long as pg_ctl may take: a server that was killed during a bulk load replays its log first. */
const SETTLE_SECONDS = 120;

/** The server for tests is on the next port. */
export function portOf(name: ClusterName): number {
  return name === "development" ? localServerPort() : localServerPort() + 1;
}

export async function startLocalPostgres(name: ClusterName): Promise<"runs already" | "started"> {
  if (runningCluster(name)?.isReady) return alreadyOnItsPort(name);
  const obstacle = reasonAgainstDebianRoot();
  if (obstacle) throw new Error(waysOut(obstacle));

  return await withExclusiveLock(debianRootLock(), async (lock) => {
    await untilNeitherStartingNorStopping(name);
    if (runningCluster(name)) return alreadyOnItsPort(name);
    await refuseTakenPort(portOf(name));
    if (!isPostgresInstalled()) installPostgres(lock);
    startCluster(name, portOf(name));
    return "started";
  });
}

/** Returns what happened. */
export async function stopLocalPostgres(): Promise<string> {
  if (!isPostgresInstalled()) return "nothing to stop: this machine has no local server";
  return await withExclusiveLock(debianRootLock(), async () => {
    await untilNeitherStartingNorStopping("development");
    await untilNeitherStartingNorStopping("tests");
    if (runningCluster("tests")) stopCluster("tests");
    const running = runningCluster("development");
    if (!running) return "nothing to stop: the local server is not running";
    stopCluster("development");
    return `stopped the server on port ${running.port}; its data stays in ${debianRootFolder()}`;
  });
}

function alreadyOnItsPort(name: ClusterName): "runs already" {
  const port = runningCluster(name)?.port;
  if (port === portOf(name)) return "runs already";
  throw new Error(
    `The local server of ${debianRootFolder()} runs on port ${port}, not on ${portOf(name)}. ` +
      "Stop it (npm run db:down) to start it there, or set SVC_DATABASE_PORT to the port where it runs.",
  );
}

async function untilNeitherStartingNorStopping(name: ClusterName): Promise<void> {
  const deadline = Date.now() + SETTLE_SECONDS * 1000;
  while (runningCluster(name)?.isReady === false) {
    if (Date.now() > deadline) {
      throw new Error(
        `The local server of ${debianRootFolder()} has been starting or stopping for too long.`,
      );
    }
    await setTimeout(100);
  }
}

async function refuseTakenPort(port: number): Promise<void> {
  const socket = createConnection({ host: "127.0.0.1", port });
  const isTaken = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  socket.destroy();
  if (!isTaken) return;
  throw new Error(
    `Port ${port} of 127.0.0.1 is taken by another program. Set SVC_DATABASE_PORT to a free port, or, if ` +
      `that program is the PostgreSQL to use, set DATABASE_URL (docker compose: ${COMPOSE_URL}).`,
  );
}

function waysOut(obstacle: string): string {
  return [
    `No local PostgreSQL can be made here: ${obstacle}. Two ways out:`,
    `- docker compose up -d database, with DATABASE_URL=${COMPOSE_URL}`,
    "- any PostgreSQL 18 with pgvector, with DATABASE_URL=postgres://... of its superuser",
  ].join("\n");
}
