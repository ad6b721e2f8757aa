import { totalmem } from "node:os";

/** The one that people work with, and one without data protection, whose databases live as long as a test run. */
export type ClusterName = "development" | "tests";

/**
 * For a development machine of 2 cores and 24 GB. Data protection stays on (fsync, full_page_writes,
 * synchronous_commit), because a benchmark without them would measure another product; off for tests, which lose nothing.
 */
export function postgresSettings(name: ClusterName, port: number): string {
  const gigabytes = totalmem() / 2 ** 30;
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    // Loopback only: nobody can reach a socket inside the chroot.
    unix_socket_directories: "",
    max_connections: 200,
    // For benchmarks of full text search; the product itself needs no preloaded library.
    shared_preload_libraries: "pg_textsearch",
    // /dev/shm of the chroot is a folder on disk, not a tmpfs, and only root may write there.
    dynamic_shared_memory_type: "sysv",

    shared_buffers: gigabytes >= 8 ? "2GB" : "512MB",
    effective_cache_size: `${Math.max(1, Math.floor((gigabytes * 2) / 3))}GB`,
    work_mem: "16MB",
    // pgvector builds an HNSW index in here, and far slower once it no longer fits.
    maintenance_work_mem: gigabytes >= 8 ? "1GB" : "256MB",

    max_wal_size: "8GB",
    min_wal_size: "1GB",
    checkpoint_timeout: "15min",
    wal_compression: "lz4",

    random_page_cost: 1.1,
    effective_io_concurrency: 64,
    track_io_timing: "on",

    ...(name === "tests" ? { fsync: "off", full_page_writes: "off" } : {}),

    timezone: "UTC",
    log_timezone: "UTC",
    log_line_prefix: "%m [%p] %q%d ",
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join("");
}
