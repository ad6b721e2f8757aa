import { type CellHost, cellFolder, cellHosts, poolerPort, primaryPort } from "./cell-layout.ts";

/**
 * Each value was measured (docs/guides/high-availability.md). Patroni silently raises a ttl below 20, and requires
 * loop_wait + 2 × retry_timeout ≤ ttl.
 */
const failover = {
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  // A crashed primary is replaced, not restarted.
  primary_start_timeout: 0,
  // An acknowledged write is on two nodes.
  synchronous_mode: true,
  synchronous_node_count: 1,
  maximum_lag_on_failover: 1_048_576,
};

/** A peer that vanished without a word is given up after ten seconds. */
const silentPeers = {
  tcp_user_timeout: "10s",
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 3,
  tcp_keepalives_count: 3,
  wal_sender_timeout: "10s",
};

/** Seconds until PgBouncer refuses a transaction that gets no connection. */
export const queryWaitSeconds = 5;
/** The same while a switchover holds everybody back on purpose. */
export const pausedWaitSeconds = 30;

export function etcdArguments(host: CellHost): string[] {
  const address = (port: number) => `http://127.0.0.1:${port}`;
  const members = cellHosts.map((each) => `${each.name}=${address(each.etcdPeerPort)}`);
  return Object.entries({
    name: host.name,
    "data-dir": `${cellFolder}/${host.name}/etcd`,
    "listen-client-urls": address(host.etcdPort),
    "advertise-client-urls": address(host.etcdPort),
    "listen-peer-urls": address(host.etcdPeerPort),
    "initial-advertise-peer-urls": address(host.etcdPeerPort),
    "initial-cluster": members.join(","),
    "initial-cluster-state": "new",
    // The defaults of 100 and 1000 ms elect a new leader whenever a shared machine is busy.
    "heartbeat-interval": "200",
    "election-timeout": "2000",
  }).map(([name, value]) => `--${name}=${value}`);
}

/** JSON, which is YAML too. */
export function patroniSettings(host: CellHost, { binFolder }: { binFolder: string }): string {
  const postgres = `127.0.0.1:${host.postgresPort}`;
  const rest = `127.0.0.1:${host.patroniPort}`;
  const settings = {
    scope: "svc",
    name: host.name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { hosts: cellHosts.map(({ etcdPort }) => `127.0.0.1:${etcdPort}`) },
    bootstrap: {
      dcs: {
        ...failover,
        postgresql: {
          // A former primary rejoins without a new copy.
          use_pg_rewind: true,
          parameters: { wal_log_hints: "on", ...silentPeers, max_connections: 200 },
        },
      },
      initdb: [
        { encoding: "UTF8" },
        { locale: "C.UTF-8" },
        { "locale-provider": "builtin" },
        { "builtin-locale": "C.UTF-8" },
        "data-checksums",
      ],
    },
    postgresql: {
      listen: postgres,
      connect_address: postgres,
      data_dir: host.dataFolder,
      bin_dir: binFolder,
      pgpass: `${cellFolder}/${host.name}/pgpass`,
      basebackup: { checkpoint: "fast" },
      // Loopback only, like the development server.
      pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
      authentication: { superuser: { username: "postgres" }, replication: { username: "replicator" } },
      parameters: {
        // Nobody can reach a socket inside the chroot, and only root may write to its /dev/shm.
        unix_socket_directories: "",
        dynamic_shared_memory_type: "sysv",
        shared_buffers: "128MB",
        random_page_cost: 1.1,
        timezone: "UTC",
        log_timezone: "UTC",
      },
    },
  };
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}

/** Sends every connection to the node whose Patroni says that it is the primary. */
export function haproxySettings(): string {
  const servers = cellHosts.map(
    ({ name, postgresPort, patroniPort }) =>
      `  server ${name} 127.0.0.1:${postgresPort} check port ${patroniPort}`,
  );
  return `global
  maxconn 1000

defaults
  mode tcp
  timeout connect 3s
  timeout client 24h
  timeout server 24h
  timeout check 2s

listen primary
  bind 127.0.0.1:${primaryPort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("\n")}
`;
}

/** PgBouncer cannot find the primary itself, so it asks HAProxy. */
export function pgbouncerSettings(): string {
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: poolerPort,
    unix_socket_dir: "",
    auth_type: "trust",
    auth_file: `${cellFolder}/pgbouncer-users.txt`,
    admin_users: "postgres",
    pool_mode: "transaction",
    default_pool_size: 20,
    max_client_conn: 500,
    // svc names up to 500 statements.
    max_prepared_statements: 600,
    server_login_retry: 1,
    server_connect_timeout: 3,
    tcp_user_timeout: 10_000,
    query_wait_timeout: queryWaitSeconds,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  return `[databases]\n* = host=127.0.0.1 port=${primaryPort}\n\n[pgbouncer]\n${lines.join("")}`;
}

/** Everybody whom PgBouncer lets in. */
export function pgbouncerUsers(): string {
  return ["postgres", "svc_app"].map((role) => `"${role}" ""\n`).join("");
}
