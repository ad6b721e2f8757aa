import { z } from "zod";
import { CronExpression } from "./cron.ts";
import { everyScope, isScope } from "./scope.ts";
import { defaultStagingSettings, type StagingSettings } from "./staging-settings.ts";

const embedderList = z.array(
  z.strictObject({
    kind: z.enum(["openai", "gemini", "ollama", "local"]),
    url: z.url().optional(),
    key: z.string().optional(),
    model: z.string().min(1).max(100).optional(),
    dimensions: z.int().optional(),
    maxTokens: z.int().optional(),
    timeoutMs: z.int().optional(),
    modelFolder: z.string().optional(),
    /** In the currency of budgets. The local model costs nothing. */
    pricePerMillionTokens: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,6})?$/)
      .default("0"),
  }),
);

const bytes = z.coerce.number().int().min(1);
const words = z.string().transform((text) => text.trim().split(/\s+/));
const port = z.coerce.number().int().min(0).max(65_535);

/** What every process needs. */
const ProcessEnvironment = z.object({
  /** As svc_app for the API, as svc_worker for the worker. */
  SVC_DATABASE_URL: z.string().min(1),
  /** Where uploads arrive; content stays there too, unless there is a bucket for it. */
  SVC_BLOB_FOLDER: z.string().min(1),
  SVC_S3_BUCKET: z.string().optional(),
  SVC_S3_REGION: z.string().default("us-east-1"),
  SVC_S3_ENDPOINT: z.url().optional(),
  /** A JSON list; the first is what tenants get. Without any, nothing is found by meaning. */
  SVC_EMBEDDERS: z
    .string()
    .default("[]")
    .transform((text, { addIssue }) => {
      const json = parseJson(text);
      if (json === undefined) {
        addIssue("is no JSON");
        return z.NEVER;
      }
      const parsed = embedderList.safeParse(json);
      if (parsed.success) return parsed.data;
      addIssue(`is no list of embedders: ${z.prettifyError(parsed.error)}`);
      return z.NEVER;
    }),
  /** How long an upload that stopped can be resumed. Longer than any call may take. */
  SVC_RESUME_MINUTES: z.coerce
    .number()
    .int()
    .min(15)
    .max(12 * 60)
    .default(defaultStagingSettings.resumeMillis / 60_000),
  SVC_STAGED_BYTES_PER_PERSON: bytes.default(defaultStagingSettings.bytesPerPerson),
  SVC_STAGED_BYTES_PER_TENANT: bytes.default(defaultStagingSettings.bytesPerTenant),
  SVC_LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  SVC_LOG_PRETTY: z.stringbool().default(false),
});

const HttpEnvironment = ProcessEnvironment.extend({
  SVC_DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(500).default(10),
  SVC_HOST: z.string().default("127.0.0.1"),
  SVC_PORT: port.default(4310),
  /** Metrics have no credential, hence not SVC_HOST: whoever scrapes from another machine says so. */
  SVC_METRICS_HOST: z.string().default("127.0.0.1"),
  SVC_METRICS_PORT: port.default(4311),
  /** Signs upload and download addresses; the same on every process of a deployment. */
  SVC_SIGNING_SECRET: z.string().min(32),
  SVC_OIDC_ISSUER: z.url().refine(isPrivateOnTheWay, "must be https, or on this machine").optional(),
  SVC_OIDC_AUDIENCE: z.string().optional(),
  /** Client ids, or `*`. There is no default: a provider has other clients, and who may act here is to be decided. */
  SVC_OIDC_CLIENTS: words.optional(),
  /** Of logins whose token names none of our scopes; `none` refuses them everything. */
  SVC_OIDC_DEFAULT_SCOPES: words
    .transform((scopes) => (scopes.join() === "none" ? [] : scopes))
    .refine((scopes) => scopes.every(isScope), "must be scopes such as files:read, or *, or none")
    .default([everyScope]),
  /** Number of proxies in front; the caller's address is taken that many hops back. */
  SVC_TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
  SVC_RATE_PER_CREDENTIAL: z.coerce.number().int().min(1).default(1_200),
  SVC_RATE_PER_ADDRESS: z.coerce.number().int().min(1).default(3_000),
});

const WorkerEnvironment = ProcessEnvironment.extend({
  /** Pause after a batch of indexing again, in its own time: 1 leaves half of the time to others. */
  SVC_REINDEX_PAUSE: z.coerce.number().min(0).max(100).default(1),
  /** When files are embedded in tenants that have no schedule of their own: five fields, UTC. */
  SVC_EMBEDDING_CRON: CronExpression.default("0 3 * * 0"),
  /** A tenant with more documents than this gets a shelf of its own, as long as there are any. */
  SVC_SEARCH_SHELF_DOCUMENTS: z.coerce.number().int().min(1).default(50_000),
});

export type EmbedderConfig = z.output<typeof embedderList>[number];

export interface ProcessConfig {
  embedders: readonly EmbedderConfig[];
  databaseUrl: string;
  blobFolder: string;
  s3?: { bucket: string; region: string; endpoint?: string };
  staging: StagingSettings;
  logLevel: string;
  logPretty: boolean;
}

/** What jobs may be told to do otherwise. */
export interface JobSettings {
  reindexPause: number;
  shelfDocuments: number;
  embeddingCron: string;
}

export interface WorkerConfig extends ProcessConfig {
  jobs: JobSettings;
}

export interface HttpConfig extends ProcessConfig {
  databaseConnections: number;
  host: string;
  port: number;
  metricsHost: string;
  metricsPort: number;
  signingSecret: string;
  identityProvider?: {
    issuer: string;
    audience: string;
    clients: readonly string[] | "any";
    defaultScopes: readonly string[];
  };
  trustedProxies: number;
  /** Requests a minute. */
  rate: { perCredential: number; perAddress: number };
}

/** Something that the environment says, or does not say. */
class ConfigurationError extends Error {}

/** For the start of a process: says what is wrong, not where in the code it was noticed. */
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
  return toProcessConfig(parse(ProcessEnvironment, environment));
}

export function readWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  const env = parse(WorkerEnvironment, environment);
  return {
    ...toProcessConfig(env),
    jobs: {
      reindexPause: env.SVC_REINDEX_PAUSE,
      shelfDocuments: env.SVC_SEARCH_SHELF_DOCUMENTS,
      embeddingCron: env.SVC_EMBEDDING_CRON,
    },
  };
}

export function readHttpConfig(environment: NodeJS.ProcessEnv): HttpConfig {
  const env = parse(HttpEnvironment, environment);
  return {
    ...toProcessConfig(env),
    databaseConnections: env.SVC_DATABASE_CONNECTIONS,
    host: env.SVC_HOST,
    port: env.SVC_PORT,
    metricsHost: env.SVC_METRICS_HOST,
    metricsPort: env.SVC_METRICS_PORT,
    signingSecret: env.SVC_SIGNING_SECRET,
    ...toIdentityProvider(env),
    trustedProxies: env.SVC_TRUSTED_PROXIES,
    rate: { perCredential: env.SVC_RATE_PER_CREDENTIAL, perAddress: env.SVC_RATE_PER_ADDRESS },
  };
}

function toIdentityProvider(env: z.output<typeof HttpEnvironment>): Pick<HttpConfig, "identityProvider"> {
  const { SVC_OIDC_ISSUER: issuer, SVC_OIDC_AUDIENCE: audience, SVC_OIDC_CLIENTS: clients } = env;
  if (issuer === undefined && audience === undefined) return {};
  if (issuer === undefined || audience === undefined) {
    throw new ConfigurationError("SVC_OIDC_ISSUER and SVC_OIDC_AUDIENCE go together");
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
      clients: clients.includes("*") ? "any" : clients,
      defaultScopes: env.SVC_OIDC_DEFAULT_SCOPES,
    },
  };
}

/**
 * Read once, at the start. A wrong value stops the process with the name of its variable. An empty one counts as absent,
 * as compose files have it: else an empty port would be port 0.
 */
function parse<Schema extends z.ZodType>(schema: Schema, environment: NodeJS.ProcessEnv): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new ConfigurationError(`configuration is not complete:\n  ${problems.join("\n  ")}`);
}

function toProcessConfig(env: z.output<typeof ProcessEnvironment>): ProcessConfig {
  if (env.SVC_S3_ENDPOINT !== undefined && env.SVC_S3_BUCKET === undefined) {
    throw new ConfigurationError(
      "SVC_S3_ENDPOINT needs SVC_S3_BUCKET: without it, content would go to SVC_BLOB_FOLDER",
    );
  }
  return {
    embedders: env.SVC_EMBEDDERS,
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
    logLevel: env.SVC_LOG_LEVEL,
    logPretty: env.SVC_LOG_PRETTY,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keys that arrive over plain HTTP are the keys of whoever stands in between. */
function isPrivateOnTheWay(address: string): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {};
  const isHere = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return protocol === "https:" || (protocol === "http:" && isHere);
}
