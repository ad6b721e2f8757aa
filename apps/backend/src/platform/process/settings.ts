import { issueMessage } from "@svc/command-router/arguments/issue-message";
import { z } from "zod";
import { CronExpression } from "./cron.ts";
import { everyScope, isScope } from "./scope.ts";
import { defaultStagingSettings } from "./staging-settings.ts";

/**
 * Every environment variable of the backend, with its default and what it is for. `npm run docs:reference` writes
 * docs/reference/configuration.md from here; config.ts reads them.
 */

const count = z.coerce.number().int().min(1);
const port = z.coerce.number().int().min(0).max(65_535);
const demoSwitch = z.enum(["on", "off"]).default("off");
const words = z.string().transform((text) => text.trim().split(/\s+/));

export const embedderList = z.array(
  z.strictObject({
    kind: z
      .enum(["openai", "gemini", "ollama", "local"])
      .describe(
        "`openai` covers every server with the same API. `local` is a small English model on this machine.",
      ),
    url: z.url().optional().describe("Address of the server: https, or on this machine."),
    key: z.string().optional().describe("API key, sent to that server only."),
    model: z.string().min(1).max(100).optional().describe("Name of the model, as the server knows it."),
    dimensions: z.int().optional().describe("Length of the vectors, for models that let you choose."),
    maxTokens: z.int().optional().describe("Longest text that the model accepts, in tokens."),
    timeoutMs: z.int().optional().describe("Time limit of one request, in milliseconds."),
    modelFolder: z
      .string()
      .optional()
      .describe(
        "Folder with the model's `tokenizer.json`, to count tokens exactly. For `local`, the whole model.",
      ),
    pricePerMillionTokens: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,6})?$/)
      .default("0")
      .describe(
        "What a million tokens cost, in the currency of budgets. A model that costs anything is used only after `svc budget set`.",
      ),
  }),
);

export const processSettings = z.object({
  SVC_DATABASE_URL: z
    .string()
    .min(1)
    .describe(
      "PostgreSQL 18 with pgvector. The API connects as `svc_app`, the worker as `svc_worker`; after the first migration set their passwords with `alter role`. Without it, `seed` creates people and workspaces only.",
    ),
  SVC_BLOB_FOLDER: z
    .string()
    .min(1)
    .describe(
      "Folder where uploads arrive, shared by all processes. File contents stay there unless `SVC_S3_BUCKET` is set.",
    ),
  SVC_S3_BUCKET: z
    .string()
    .optional()
    .describe(
      "Bucket for file contents. Credentials come from `AWS_ACCESS_KEY_ID` and the other AWS sources.",
    ),
  SVC_S3_REGION: z.string().default("us-east-1").describe("Region of the bucket."),
  SVC_S3_ENDPOINT: z
    .url()
    .optional()
    .describe("Address of an S3 service other than Amazon's. Buckets are addressed in path style."),
  SVC_EMBEDDERS: z
    .string()
    .default("[]")
    .transform((text, { addIssue }) => {
      const json = parseJson(text);
      if (json === undefined) {
        addIssue("is not JSON");
        return z.NEVER;
      }
      const parsed = embedderList.safeParse(json, { error: issueMessage });
      if (parsed.success) return parsed.data;
      addIssue(`is not a list of embedders: ${z.prettifyError(parsed.error)}`);
      return z.NEVER;
    })
    .describe(
      "JSON list of embedding models, the same on API and worker. Tenants start with the first. Without any, search finds by words only.",
    ),
  SVC_MODELS: z
    .string()
    .optional()
    .describe(
      "Folder of local models, also for `npm run models:fetch`. Without it, `svc/models` in `$XDG_CACHE_HOME` or `~/.cache`.",
    ),
  SVC_RESUME_MINUTES: z.coerce
    .number()
    .int()
    // Longer than any call may take.
    .min(15)
    .max(7 * 24 * 60)
    .default(defaultStagingSettings.resumeMillis / 60_000)
    .describe("How long an interrupted upload can be resumed, in minutes."),
  SVC_STAGED_BYTES_PER_PERSON: count
    .default(defaultStagingSettings.bytesPerPerson)
    .describe("Limit for one person's unfinished uploads."),
  SVC_STAGED_BYTES_PER_TENANT: count
    .default(defaultStagingSettings.bytesPerTenant)
    .describe("Limit for all unfinished uploads of a tenant."),
  SVC_REQUIRE_CONFINEMENT: z
    .stringbool()
    .prefault("false")
    .describe(
      "Refuse to start if document readers cannot run without a network and with limits. Otherwise the log and `svc_reader_confined` say so.",
    ),
  SVC_METRICS_HOST: z
    .string()
    .default("127.0.0.1")
    .describe(
      "Address that `/metrics` listens on, whatever the other addresses are: metrics need no credential. Set it to scrape from another machine.",
    ),
  SVC_LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("Least severe level that is logged."),
  SVC_LOG_PRETTY: z.stringbool().prefault("false").describe("Log for people instead of JSON lines."),
});

export const httpSettings = z.object({
  SVC_HOST: z.string().default("127.0.0.1").describe("Address that the API listens on."),
  SVC_PORT: port.default(4310).describe("Port of the API."),
  SVC_METRICS_PORT: port.default(4311).describe("Port of the API's `/metrics`."),
  SVC_DATABASE_CONNECTIONS: count
    .max(500)
    .default(10)
    .describe(
      "Size of the connection pool. For all processes together, start with five times the database's cores. One tenant alone uses at most a third.",
    ),
  SVC_DATABASE_TIMEOUT: count
    .default(20)
    .describe(
      "Seconds without an answer to a statement after which a database connection counts as dead and is replaced. Keep it above `statement_timeout` of `svc_app`, 15 s.",
    ),
  SVC_SIGNING_SECRET: z
    .string()
    .min(32)
    .describe(
      "Signs upload and download addresses. At least 32 characters, the same on every process of a deployment.",
    ),
  SVC_OIDC_ISSUER: z
    .url()
    .refine(isPrivateOnTheWay, "must be https, or on this machine")
    .optional()
    .describe("Identity provider whose access tokens (RFC 9068) are accepted."),
  SVC_OIDC_AUDIENCE: z
    .string()
    .optional()
    .describe("Audience that access tokens must name. Required with `SVC_OIDC_ISSUER`."),
  SVC_OIDC_CLIENTS: words
    .optional()
    .describe(
      "Client ids whose access tokens are accepted, separated by spaces, or `*` for every client of the provider. Required with `SVC_OIDC_ISSUER`; include the client id of your `svc`.",
    ),
  SVC_OIDC_DEFAULT_SCOPES: words
    .transform((scopes) => (scopes.join() === "none" ? [] : scopes))
    .refine((scopes) => scopes.every(isScope), "must be scopes such as files:read, or *, or none")
    .prefault(everyScope)
    .describe(
      "Scopes of access tokens that name none of ours, as those of `svc login` do. Separated by spaces; `none` for no scopes.",
    ),
  SVC_MCP_URL: z
    .url()
    .refine(isPrivateOnTheWay, "must be https, or on this machine")
    .optional()
    .describe(
      "The public address of `POST /mcp`, such as https://svc.example.com/mcp. Agents sign in at `SVC_OIDC_ISSUER` for exactly this audience. Without it, they need the token of an AI member or a session.",
    ),
  SVC_TRUSTED_PROXIES: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe("Number of proxies in front of the API. The caller's address is taken that many hops back."),
  SVC_DEMO: demoSwitch.describe(
    "Serves the public demo at `/demo`: anybody may search the tenant that `seed` marked as the demo, and upload five files for two hours. See the [guide](../guides/demo.md).",
  ),
  SVC_DEMO_VISITORS: count
    .default(200)
    .describe(
      "Visitors of the demo at a time, in all processes. Those that have left count until they are removed.",
    ),
  SVC_DEMO_VISITORS_PER_ADDRESS: count
    .default(10)
    .describe("Visitors of the demo from one address within two hours, per process."),
  SVC_DEMO_RATE_PER_ADDRESS: count
    .default(300)
    .describe(
      "Requests to the demo per minute and process from one address; from all of them, ten times as many.",
    ),
  SVC_RATE_PER_CREDENTIAL: count
    .default(1_200)
    .describe(
      "Requests per minute and process that one credential may make. Pieces of uploads and downloads are counted separately, up to five times as many.",
    ),
  SVC_RATE_PER_ADDRESS: count
    .default(3_000)
    .describe(
      "Requests per minute and process from one address. Health checks are counted separately, and so are pieces of uploads and downloads, up to five times as many.",
    ),
});

export const workerSettings = z.object({
  SVC_HEALTH_HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address that the worker's `/healthz` and `/readyz` listen on."),
  SVC_HEALTH_PORT: port.default(4312).describe("Port of the worker's `/healthz` and `/readyz`."),
  SVC_WORKER_METRICS_PORT: port.default(4313).describe("Port of the worker's `/metrics`."),
  SVC_QUEUE_STUCK_SECONDS: count
    .max(3_600)
    .default(90)
    .describe(
      "A worker is not ready (`queue_stuck`) if a job could have started this long ago and the worker has started none since.",
    ),
  SVC_WORKER_DATABASE_TIMEOUT: count
    .default(120)
    .describe(
      "As `SVC_DATABASE_TIMEOUT`, for the worker, whose role has no `statement_timeout`. Keep it above its longest statement.",
    ),
  SVC_REINDEX_PAUSE: z.coerce
    .number()
    .min(0)
    .max(100)
    .default(1)
    .describe(
      "Pause between reindex batches, as a multiple of batch time. 1 leaves half of the time to others.",
    ),
  SVC_EMBEDDING_CRON: CronExpression.default("0 3 * * 0").describe(
    "When files are embedded in tenants without their own schedule: five cron fields, UTC.",
  ),
  SVC_EMBEDDING_SPREAD: z.coerce
    .number()
    .min(0)
    .max(1_440)
    .default(9)
    .describe(
      "Minutes over which these tenants start, so that they do not all start at once. Each has its fixed place.",
    ),
  SVC_SEARCH_SHELF_DOCUMENTS: count
    .default(50_000)
    .describe(
      "A tenant with more documents than this moves to a dedicated shelf, with more than twenty times as many it gets several; with less than half of it, it moves back.",
    ),
});

export const migrateSettings = z.object({
  SVC_ADMIN_DATABASE_URL: z
    .string()
    .min(1)
    .describe("The same database, as a role that can create roles and extensions."),
  SVC_MIGRATE_PATIENCE: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(300)
    .describe(
      "How long `migrate` keeps trying to get the locks of one migration, in seconds. Others never wait behind it for more than a second at a time.",
    ),
});

export const seedSettings = z.object({
  SVC_TOKEN_FILE: z
    .string()
    .min(1)
    .describe(
      "File for the token of the sample company's administrator. Tokens of its people go to `people/` beside it.",
    ),
  SVC_DEMO: demoSwitch.describe("`on` marks the sample company as the public demo. It stays marked."),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keys that arrive over plain HTTP can be replaced by anyone in between. */
function isPrivateOnTheWay(address: string): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {};
  const isHere = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return protocol === "https:" || (protocol === "http:" && isHere);
}
