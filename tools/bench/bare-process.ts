import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { poolSize } from "./api-process.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import type { WorkspacesQuery } from "./workspaces-query.ts";

/** How bare-server.ts is told what to do. */
export interface BareCall extends WorkspacesQuery {
  databaseUrl: string;
  poolSize: number;
}

export const bareEnvironment = { port: "BARE_PORT", call: "BARE_CALL" } as const;

export function startBareServer(options: {
  databaseUrl: string;
  folder: string;
  query: WorkspacesQuery;
}): Promise<ServerProcess> {
  const call: BareCall = { ...options.query, databaseUrl: options.databaseUrl, poolSize };
  return startServer({
    script: fileURLToPath(new URL("./bare-server.ts", import.meta.url)),
    log: join(options.folder, "bare.log"),
    readyPath: "/",
    environment: (port) => ({
      NODE_ENV: "production",
      [bareEnvironment.port]: String(port),
      [bareEnvironment.call]: JSON.stringify(call),
    }),
  });
}
