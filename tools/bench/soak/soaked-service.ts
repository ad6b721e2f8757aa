import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SilentProxy } from "@svc/testing/silent-proxy";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import { throughPooler } from "../../ha/cell-layout.ts";
import { benchSize, currentSize } from "../bench-size.ts";
import { type } from "../file-caller.ts";
import { startApi } from "../processes/api-process.ts";
import type { ServerProcess } from "../processes/server-process.ts";
import { startWorker, type WorkerProcess } from "../processes/worker-process.ts";
import { seedSampleTenant } from "../scale-data/sample-tenant.ts";
import { createScratchFolder, type ScratchFolder } from "../scratch-folder.ts";
import { withClient } from "../with-client.ts";

/** In smoke a silent connection must not take longer than the whole run. */
const databaseTimeout = benchSize({}, { SVC_DATABASE_TIMEOUT: "3", SVC_WORKER_DATABASE_TIMEOUT: "3" });

/**
 * Two API processes and two workers on one database, each reached through a network that can fall silent. One of each is
 * never killed: its memory shows whether it leaks.
 */
export class SoakedService implements AsyncDisposable {
  readonly database: TestDatabase;
  readonly folder: ScratchFolder;
  readonly networks: readonly SilentProxy[];
  readonly token: string;
  readonly workspace = "soak";
  readonly steady: { api: ServerProcess; worker: WorkerProcess };
  killed: { api: ServerProcess; worker: WorkerProcess };

  private constructor(
    parts: Pick<SoakedService, "database" | "folder" | "networks" | "token" | "steady" | "killed">,
  ) {
    this.database = parts.database;
    this.folder = parts.folder;
    this.networks = parts.networks;
    this.token = parts.token;
    this.steady = parts.steady;
    this.killed = parts.killed;
  }

  static async start({ isOnCell }: { isOnCell: boolean }): Promise<SoakedService> {
    const folder = await createScratchFolder();
    const database = await createTestDatabase({ isLikeProduction: true });
    const token = seedSampleTenant(database.adminUrl, join(folder.path, "token"));
    mkdirSync(join(folder.path, "blobs"), { recursive: true });
    if (currentSize === "smoke") await forgetLostTransactions(database);
    const appUrl = isOnCell ? throughPooler(database.appUrl) : database.appUrl;
    const networks = [await SilentProxy.start(appUrl), await SilentProxy.start(database.workerUrl)] as const;
    const startPair = async () => {
      const [api, worker] = await Promise.all([
        startSoakedApi(networks[0], folder),
        startSoakedWorker(networks[1], folder),
      ]);
      return { api, worker };
    };
    const [steady, killed] = await Promise.all([startPair(), startPair()]);
    const service = new SoakedService({ database, folder, networks, token, steady, killed });
    await type({ url: service.steady.api.url, token }, `workspaces create ${service.workspace}`);
    return service;
  }

  async restartApi(): Promise<void> {
    const [network] = this.networks;
    if (network) this.killed.api = await startSoakedApi(network, this.folder);
  }

  async restartWorker(): Promise<void> {
    const [, network] = this.networks;
    if (network) this.killed.worker = await startSoakedWorker(network, this.folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const processes = [this.steady, this.killed].flatMap(({ api, worker }) => [api, worker]);
    await Promise.all(processes.map((process) => process[Symbol.asyncDispose]()));
    await Promise.all(this.networks.map((network) => network.stop()));
    await this.database.drop();
    await this.folder[Symbol.asyncDispose]();
  }
}

/** A transaction that lost its network keeps its locks for 30 s: longer than a whole run in smoke. */
async function forgetLostTransactions({ adminUrl, name }: TestDatabase): Promise<void> {
  await withClient(adminUrl, (client) =>
    client.query(`alter role svc_app in database ${name} set idle_in_transaction_session_timeout = '3s'`),
  );
}

function startSoakedApi({ url }: SilentProxy, { path }: ScratchFolder): Promise<ServerProcess> {
  return startApi({
    databaseUrl: url,
    folder: path,
    environment: { ...databaseTimeout, SVC_DATABASE_CONNECTIONS: "20", SVC_LOG_LEVEL: "warn" },
  });
}

function startSoakedWorker({ url }: SilentProxy, { path }: ScratchFolder): Promise<WorkerProcess> {
  return startWorker({ databaseUrl: url, folder: path, embedders: [], environment: databaseTimeout });
}
