import { createConnection } from "node:net";
import { setTimeout } from "node:timers/promises";
import { localServerPort } from "@svc/database/development-server";
import { debianRootFolder, debianRootLock, reasonAgainstDebianRoot } from "./debian-root.ts";
import { withExclusiveLock } from "./exclusive-lock.ts";
import { installPostgres } from "./install-postgres.ts";
import { isPostgresInstalled, runningCluster, startCluster, stopCluster } from "./postgres-cluster.ts";

const COMPOSE_URL = "postgres://postgres:postgres@127.0.0.1:54318/postgres";
/** As long as pg_ctl may take: a server that was killed during a bulk load replays its log first. */
const SETTLE_SECONDS = 120;

export async function startLocalPostgres(): Promise<"runs already" | "started"> {
  if (runningCluster()?.isReady) return alreadyOnItsPort();
  const obstacle = reasonAgainstDebianRoot();
  if (obstacle) throw new Error(waysOut(obstacle));

  return await withExclusiveLock(debianRootLock(), async (lock) => {
    await untilNeitherStartingNorStopping();
    if (runningCluster()) return alreadyOnItsPort();
    await refuseTakenPort();
    if (!isPostgresInstalled()) installPostgres(lock);
    startCluster(localServerPort());
    return "started";
  });
}

/** Returns what happened. */
export async function stopLocalPostgres(): Promise<string> {
  if (!isPostgresInstalled()) return "nothing to stop: this machine has no local server";
  return await withExclusiveLock(debianRootLock(), async () => {
    await untilNeitherStartingNorStopping();
    const running = runningCluster();
    if (!running) return "nothing to stop: the local server is not running";
    stopCluster();
    return `stopped the server on port ${running.port}; its data stays in ${debianRootFolder()}`;
  });
}

function alreadyOnItsPort(): "runs already" {
  const port = runningCluster()?.port;
  if (port === localServerPort()) return "runs already";
  throw new Error(
    `The local server of ${debianRootFolder()} runs on port ${port}, not on ${localServerPort()}. ` +
      "Stop it (npm run db:down) to start it there, or set SVC_DATABASE_PORT to the port where it runs.",
  );
}

async function untilNeitherStartingNorStopping(): Promise<void> {
  const deadline = Date.now() + SETTLE_SECONDS * 1000;
  while (runningCluster()?.isReady === false) {
    if (Date.now() > deadline) {
      throw new Error(
        `The local server of ${debianRootFolder()} has been starting or stopping for too long.`,
      );
    }
    await setTimeout(100);
  }
}

async function refuseTakenPort(): Promise<void> {
  const port = localServerPort();
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
