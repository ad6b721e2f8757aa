import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { untilWhole } from "../../ha/cell.ts";
import { cellEvents } from "../../ha/prove/cell-events.ts";
import { benchSize } from "../bench-size.ts";
import { withClient } from "../with-client.ts";
import type { SoakedService } from "./soaked-service.ts";

/** Something that breaks, and is repaired when `strike` resolves. */
export interface SoakFault {
  name: string;
  strike(service: SoakedService): Promise<void>;
}

const brokenMillis = benchSize(10_000, 500);
/** A host that comes back sooner is still the primary: Patroni's lease lasts 20 s. */
const failoverMillis = 30_000;

const faults: readonly SoakFault[] = [
  {
    name: "API process killed",
    async strike(service) {
      await service.killed.api.kill();
      await service.restartApi();
    },
  },
  {
    name: "connections terminated",
    async strike({ database }) {
      await withClient(database.adminUrl, (client) =>
        client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
        ),
      );
    },
  },
  {
    name: "network silent",
    async strike({ networks }) {
      for (const network of networks) {
        network.silence();
        network.silenceNew();
      }
      await sleep(brokenMillis);
      for (const network of networks) network.speak();
    },
  },
  {
    name: "worker killed",
    async strike(service) {
      await service.killed.worker.kill();
      await service.restartWorker();
    },
  },
  {
    name: "file store gone",
    async strike({ folder }) {
      const store = join(folder.path, "blobs");
      renameSync(store, `${store}.gone`);
      // In place of the folder, which the processes would create again.
      writeFileSync(store, "");
      await sleep(brokenMillis);
      rmSync(store);
      renameSync(`${store}.gone`, store);
    },
  },
];

/** The development server is shared by all checkouts, so only a cell loses nodes. */
const faultsOfCell: readonly SoakFault[] = cellEvents.map(({ name, happen }) => ({
  name,
  async strike({ database }) {
    const bringBack = await happen(database.adminUrl);
    await sleep(failoverMillis);
    await bringBack();
    await untilWhole();
  },
}));

export function soakFaults({ isOnCell }: { isOnCell: boolean }): readonly SoakFault[] {
  return isOnCell ? [...faults, ...faultsOfCell] : faults;
}
