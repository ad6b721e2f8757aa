import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WorkspacesQuery } from "../workspaces-query.ts";
import { poolSize } from "./api-process.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

/** Settings of bare-words-server.ts; others have more. */
export interface BarePlace {
  databaseUrl: string;
  poolSize: number;
}

/** Settings of bare-server.ts. */
export interface BareCall extends WorkspacesQuery, BarePlace {}

/** Settings of bare-files-server.ts: the caller and the folder. */
export interface BareFilesCall extends BarePlace {
  tenantId: string;
  actorId: string;
  workspace: string;
  blobFolder: string;
}

/** Settings of bare-meaning-server.ts. */
export interface BareMeaningCall extends BarePlace {
  model: string;
}

/** Settings of bare-replay-server.ts: the file with the statements of each keystroke. */
export interface BareReplayCall extends BarePlace {
  recorded: string;
}

export const bareEnvironment = { port: "BARE_PORT", call: "BARE_CALL" } as const;

interface StartOptions {
  databaseUrl: string;
  folder: string;
}

export function startBareServer(options: StartOptions & { query: WorkspacesQuery }): Promise<ServerProcess> {
  const { databaseUrl, query } = options;
  return start("bare-server.ts", { ...query, databaseUrl, poolSize } satisfies BareCall, options);
}

export function startBareFilesServer(
  options: StartOptions & { caller: Pick<BareFilesCall, "tenantId" | "actorId" | "workspace"> },
): Promise<ServerProcess> {
  const { databaseUrl, caller, folder } = options;
  const call: BareFilesCall = { ...caller, databaseUrl, poolSize, blobFolder: join(folder, "bare-blobs") };
  return start("bare-files-server.ts", call, options);
}

export function startBareMeaningServer(options: StartOptions & { model: string }): Promise<ServerProcess> {
  const { databaseUrl, model } = options;
  return start("bare-meaning-server.ts", { databaseUrl, poolSize, model } satisfies BareMeaningCall, options);
}

export function startBareWordsServer(options: StartOptions): Promise<ServerProcess> {
  return start("bare-words-server.ts", { databaseUrl: options.databaseUrl, poolSize }, options);
}

export function startBareReplayServer(options: StartOptions & { recorded: string }): Promise<ServerProcess> {
  const { databaseUrl, recorded } = options;
  return start(
    "bare-replay-server.ts",
    { databaseUrl, poolSize, recorded } satisfies BareReplayCall,
    options,
  );
}

export function startBareEmbedder(folder: string): Promise<ServerProcess> {
  return start("bare-embedder-server.ts", {}, { folder });
}

function start(
  script: string,
  call: object,
  { folder }: Pick<StartOptions, "folder">,
): Promise<ServerProcess> {
  return startServer({
    script: fileURLToPath(new URL(script, import.meta.url)),
    log: join(folder, "bare.log"),
    readyPath: "/",
    environment: (port) => ({
      NODE_ENV: "production",
      [bareEnvironment.port]: String(port),
      [bareEnvironment.call]: JSON.stringify(call),
    }),
  });
}
