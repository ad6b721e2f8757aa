import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../local-server/free-port.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const spy = fileURLToPath(new URL("./statement-spy.ts", import.meta.url));

/** The size of every measured pool, so that no side has more of the database than the other. */
export const poolSize = 10;

/** The API as deployed, without the limits on a single caller, who is the whole load here. */
export async function startApi(options: {
  databaseUrl: string;
  folder: string;
  /** The file for its statements. Not during a measurement. */
  spyFile?: string;
  /** As in a deployment; none by default. */
  embedders?: readonly object[];
  /** The checkout of another version; this one by default. */
  checkout?: string;
  /** A module that is loaded before it. */
  preload?: URL;
  /** Settings that differ from the ones below. */
  environment?: Record<string, string>;
}): Promise<ServerProcess> {
  const metricsPort = await freePort();
  return startServer({
    script: "apps/backend/src/entrypoints/http.ts",
    ...(options.checkout === undefined ? {} : { checkout: options.checkout }),
    ...(options.preload ? { preload: fileURLToPath(options.preload) } : {}),
    ...(options.spyFile === undefined ? {} : { preload: spy }),
    log: join(options.folder, "api.log"),
    readyPath: "/readyz",
    environment: (port) => ({
      NODE_ENV: "production",
      ...(options.spyFile === undefined ? {} : { BENCH_SPY_FILE: options.spyFile }),
      SVC_DATABASE_URL: options.databaseUrl,
      SVC_DATABASE_CONNECTIONS: String(poolSize),
      SVC_PORT: String(port),
      SVC_METRICS_PORT: String(metricsPort),
      SVC_SIGNING_SECRET: "only used while a benchmark runs",
      SVC_BLOB_FOLDER: join(options.folder, "blobs"),
      SVC_EMBEDDERS: JSON.stringify(options.embedders ?? []),
      SVC_LOG_LEVEL: "info",
      SVC_RATE_PER_CREDENTIAL: "1000000000",
      SVC_RATE_PER_ADDRESS: "1000000000",
      ...options.environment,
    }),
  });
}
