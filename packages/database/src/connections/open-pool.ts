import pg from "pg";
import { SilentConnection } from "./silent-connection.ts";
import { WatchedClient, type WatchedClientOptions } from "./watched-client.ts";

export interface PoolOptions {
  url: string;
  maxConnections: number;
  /** After so long without an answer a connection counts as dead. Longer than the longest statement. */
  silenceMillis: number;
  /** Called for connections that broke while idle; the pool replaces them. */
  onIdleError: (error: Error) => void;
  types?: pg.CustomTypesConfig;
  Client?: typeof WatchedClient;
}

const connectMillis = 5_000;

/**
 * Idle connections of all pools, by address. If one connection is silent, so are those that went through the same
 * network, and each would cost a caller the same wait.
 */
const idleOf = new Map<string, Set<WatchedClient>>();

/** Every pool of this product: its connections die with the network that they were made through, and are replaced. */
export function openPool<Pool extends pg.Pool = pg.Pool>(
  { url, maxConnections, silenceMillis, onIdleError, types, Client = WatchedClient }: PoolOptions,
  make: (config: pg.PoolConfig) => Pool = (config) => new pg.Pool(config) as Pool,
): Pool {
  const idle = idleOf.get(url) ?? new Set<WatchedClient>();
  idleOf.set(url, idle);
  const options: pg.PoolConfig & Pick<WatchedClientOptions, "silenceMillis" | "onSilence"> = {
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMillis,
    idleTimeoutMillis: 60_000,
    // Addresses change: a connection made before a failover must not live on for days.
    maxLifetimeSeconds: 600,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
    silenceMillis,
    onSilence: () => {
      for (const client of idle) client.abandon(new SilentConnection(silenceMillis));
    },
    Client: Client as unknown as typeof pg.Client,
  };
  const pool = make(options);
  // The pool listens to idle connections only, and an unhandled error event would end the process. A busy one tells
  // whoever waits for its statement.
  pool.on("connect", (client) => void client.on("error", () => {}));
  pool.on("acquire", (client) => void idle.delete(asWatched(client)));
  pool.on("release", (_error, client) => void idle.add(asWatched(client)));
  pool.on("remove", (client) => void idle.delete(asWatched(client)));
  pool.on("error", onIdleError);
  return pool;
}

function asWatched(client: pg.PoolClient): WatchedClient {
  return client as unknown as WatchedClient;
}
