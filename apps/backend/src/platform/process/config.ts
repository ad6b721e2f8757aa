import { issueMessage } from "@svc/command-router/arguments/issue-message";
import { localModelFolder } from "@svc/embedding/local/local-model";
import type { z } from "zod";
import {
  type embedderList,
  httpSettings,
  migrateSettings,
  processSettings,
  seedSettings,
  workerSettings,
} from "./settings.ts";
import type { StagingSettings } from "./staging-settings.ts";

const HttpEnvironment = processSettings.extend(httpSettings.shape);
const WorkerEnvironment = processSettings.extend(workerSettings.shape);
const SeedEnvironment = migrateSettings.extend(seedSettings.shape);

export type EmbedderConfig = z.output<typeof embedderList>[number];

export interface ProcessConfig {
  embedders: readonly EmbedderConfig[];
  databaseUrl: string;
  blobFolder: string;
  s3?: { bucket: string; region: string; endpoint?: string };
  staging: StagingSettings;
  requireConfinement: boolean;
  metricsHost: string;
  logLevel: string;
  logPretty: boolean;
}

/** Settings of jobs. */
export interface JobSettings {
  reindexPause: number;
  shelfDocuments: number;
  embeddingCron: string;
  /** In minutes. */
  embeddingSpread: number;
}

export interface WorkerConfig extends ProcessConfig {
  /** See `DatabaseOptions.silenceMillis`. */
  databaseSilenceMillis: number;
  healthHost: string;
  healthPort: number;
  metricsPort: number;
  queueStuckSeconds: number;
  jobs: JobSettings;
}

export interface HttpConfig extends ProcessConfig {
  databaseConnections: number;
  /** See `DatabaseOptions.silenceMillis`. */
  databaseSilenceMillis: number;
  host: string;
  port: number;
  metricsPort: number;
  signingSecret: string;
  identityProvider?: {
    issuer: string;
    audience: string;
    agentAudience?: string | undefined;
    clients: readonly string[] | "any";
    defaultScopes: readonly string[];
  };
  trustedProxies: number;
  /** Requests a minute. */
  rate: { perCredential: number; perAddress: number };
  /** Absent if there is no demo. */
  demo?: DemoSettings;
}

export interface DemoSettings {
  visitors: number;
  visitorsPerAddress: number;
  /** Requests a minute. */
  ratePerAddress: number;
}

export interface MigrateConfig {
  adminUrl: string;
  patienceMillis: number;
}

export interface SeedConfig {
  adminUrl: string;
  tokenFile: string;
  /** Whether the sample company becomes the public demo. */
  isDemo: boolean;
  /** What the sample company is filled through. Without it, the company has people and workspaces only. */
  process?: ProcessConfig;
}

/** A missing or invalid environment variable. */
class ConfigurationError extends Error {}

/** For the start of a process: prints what is wrong, without a stack trace. */
export function readOrExit<Config>(read: (environment: NodeJS.ProcessEnv) => Config): Config {
  try {
    return read(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

export function readProcessConfig(environment: NodeJS.ProcessEnv): ProcessConfig {
  return toProcessConfig(parse(processSettings, environment));
}

export function readWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  const env = parse(WorkerEnvironment, environment);
  return {
    ...toProcessConfig(env),
    databaseSilenceMillis: env.SVC_WORKER_DATABASE_TIMEOUT * 1_000,
    healthHost: env.SVC_HEALTH_HOST,
    healthPort: env.SVC_HEALTH_PORT,
    metricsPort: env.SVC_WORKER_METRICS_PORT,
    queueStuckSeconds: env.SVC_QUEUE_STUCK_SECONDS,
    jobs: {
      reindexPause: env.SVC_REINDEX_PAUSE,
      shelfDocuments: env.SVC_SEARCH_SHELF_DOCUMENTS,
      embeddingCron: env.SVC_EMBEDDING_CRON,
      embeddingSpread: env.SVC_EMBEDDING_SPREAD,
    },
  };
}

export function readHttpConfig(environment: NodeJS.ProcessEnv): HttpConfig {
  const env = parse(HttpEnvironment, environment);
  return {
    ...toProcessConfig(env),
    databaseConnections: env.SVC_DATABASE_CONNECTIONS,
    databaseSilenceMillis: env.SVC_DATABASE_TIMEOUT * 1_000,
    host: env.SVC_HOST,
    port: env.SVC_PORT,
    metricsPort: env.SVC_METRICS_PORT,
    signingSecret: env.SVC_SIGNING_SECRET,
    ...toIdentityProvider(env),
    trustedProxies: env.SVC_TRUSTED_PROXIES,
    rate: { perCredential: env.SVC_RATE_PER_CREDENTIAL, perAddress: env.SVC_RATE_PER_ADDRESS },
    ...(env.SVC_DEMO === "on"
      ? {
          demo: {
            visitors: env.SVC_DEMO_VISITORS,
            visitorsPerAddress: env.SVC_DEMO_VISITORS_PER_ADDRESS,
            ratePerAddress: env.SVC_DEMO_RATE_PER_ADDRESS,
          },
        }
      : {}),
  };
}

export function readMigrateConfig(environment: NodeJS.ProcessEnv): MigrateConfig {
  const env = parse(migrateSettings, environment);
  return { adminUrl: env.SVC_ADMIN_DATABASE_URL, patienceMillis: env.SVC_MIGRATE_PATIENCE * 1_000 };
}

export function readSeedConfig(environment: NodeJS.ProcessEnv): SeedConfig {
  const env = parse(SeedEnvironment, environment);
  return {
    adminUrl: env.SVC_ADMIN_DATABASE_URL,
    tokenFile: env.SVC_TOKEN_FILE,
    isDemo: env.SVC_DEMO === "on",
    ...(environment.SVC_DATABASE_URL ? { process: readProcessConfig(environment) } : {}),
  };
}

function toIdentityProvider(env: z.output<typeof HttpEnvironment>): Pick<HttpConfig, "identityProvider"> {
  const { SVC_OIDC_ISSUER: issuer, SVC_OIDC_AUDIENCE: audience, SVC_OIDC_CLIENTS: clients } = env;
  if (env.SVC_MCP_URL !== undefined && issuer === undefined) {
    throw new ConfigurationError("SVC_MCP_URL needs SVC_OIDC_ISSUER: it is the audience of its tokens");
  }
  if (issuer === undefined && audience === undefined) return {};
  if (issuer === undefined || audience === undefined) {
    throw new ConfigurationError("SVC_OIDC_ISSUER and SVC_OIDC_AUDIENCE must be set together");
  }
  if (env.SVC_MCP_URL === audience) {
    throw new ConfigurationError(
      "SVC_MCP_URL and SVC_OIDC_AUDIENCE must differ: a token is a person's or an agent's",
    );
  }
  if (env.SVC_MCP_URL !== undefined && clients?.includes("*")) {
    throw new ConfigurationError(
      "SVC_OIDC_CLIENTS must list client ids if SVC_MCP_URL is set: otherwise any agent could get a person's token",
    );
  }
  if (clients === undefined) {
    throw new ConfigurationError(
      "SVC_OIDC_CLIENTS must list the client ids whose access tokens are accepted, such as that of your svc, or be *",
    );
  }
  return {
    identityProvider: {
      issuer,
      audience,
      agentAudience: env.SVC_MCP_URL,
      clients: clients.includes("*") ? "any" : clients,
      defaultScopes: env.SVC_OIDC_DEFAULT_SCOPES,
    },
  };
}

/**
 * Read once, at the start. A wrong value stops the process with the name of its variable. An empty one counts as
 * absent, as in compose files; otherwise an empty port would be port 0.
 */
function parse<Schema extends z.ZodType>(schema: Schema, environment: NodeJS.ProcessEnv): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given, { error: issueMessage });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const [name = ""] = path;
    return `${String(name)}: ${name in given ? message : "is not set"}`;
  });
  throw new ConfigurationError(`The configuration is not valid:\n  ${problems.join("\n  ")}`);
}

function toProcessConfig(env: z.output<typeof processSettings>): ProcessConfig {
  if (env.SVC_S3_ENDPOINT !== undefined && env.SVC_S3_BUCKET === undefined) {
    throw new ConfigurationError(
      "SVC_S3_ENDPOINT needs SVC_S3_BUCKET: without it, content would go to SVC_BLOB_FOLDER",
    );
  }
  return {
    embedders: env.SVC_EMBEDDERS.map((embedder) =>
      embedder.kind === "local" && env.SVC_MODELS !== undefined
        ? { modelFolder: localModelFolder(env.SVC_MODELS), ...embedder }
        : embedder,
    ),
    databaseUrl: env.SVC_DATABASE_URL,
    blobFolder: env.SVC_BLOB_FOLDER,
    ...(env.SVC_S3_BUCKET === undefined
      ? {}
      : {
          s3: {
            bucket: env.SVC_S3_BUCKET,
            region: env.SVC_S3_REGION,
            ...(env.SVC_S3_ENDPOINT === undefined ? {} : { endpoint: env.SVC_S3_ENDPOINT }),
          },
        }),
    staging: {
      resumeMillis: env.SVC_RESUME_MINUTES * 60_000,
      bytesPerPerson: env.SVC_STAGED_BYTES_PER_PERSON,
      bytesPerTenant: env.SVC_STAGED_BYTES_PER_TENANT,
    },
    requireConfinement: env.SVC_REQUIRE_CONFINEMENT,
    metricsHost: env.SVC_METRICS_HOST,
    logLevel: env.SVC_LOG_LEVEL,
    logPretty: env.SVC_LOG_PRETTY,
  };
}
