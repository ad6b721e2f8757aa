import { debianRootFolder } from "../local-server/debian-root.ts";

/** One machine of the cell: a PostgreSQL with its Patroni, and a member of etcd. */
export interface CellHost {
  readonly name: string;
  readonly postgresPort: number;
  readonly patroniPort: number;
  readonly etcdPort: number;
  readonly etcdPeerPort: number;
  /** Inside the Debian root. */
  readonly dataFolder: string;
}

/** Inside the Debian root. */
export const cellFolder = "/var/lib/svc-cell";

/** Below the ephemeral ports: a node that is down must get its port back. */
const firstPort = 15_400;

/** HAProxy: always the primary, one session per connection. For `worker` and `migrate`. */
export const primaryPort = firstPort;
/** PgBouncer in front of HAProxy: transactions share connections. For `http`. */
export const poolerPort = firstPort + 1;

export const cellHosts: readonly CellHost[] = [1, 2, 3].map((number) => ({
  name: `n${number}`,
  postgresPort: firstPort + 10 + number,
  patroniPort: firstPort + 20 + number,
  etcdPort: firstPort + 30 + number,
  etcdPeerPort: firstPort + 40 + number,
  dataFolder: `${cellFolder}/n${number}/data`,
}));

/** What people pass as DATABASE_URL to run any tool of this repository on the cell. */
export const cellUrl = `postgres://postgres@127.0.0.1:${primaryPort}/postgres`;

/** The same database, through the pooler. */
export function throughPooler(url: string): string {
  const pooled = new URL(url);
  pooled.port = String(poolerPort);
  return pooled.href;
}

export function onThisMachine(inside: string): string {
  return `${debianRootFolder()}${inside}`;
}
