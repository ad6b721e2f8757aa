import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Catalog, loadCatalog } from "@svc/command-router/catalog";
import { Database } from "@svc/database/database";
import { Provisioner } from "@svc/database/provision";
import type { CliAnswer, CliRequest, UploadAnswer } from "@svc/protocol/exchange";
import { headers } from "@svc/protocol/headers";
import type { Problem } from "@svc/protocol/problem";
import type { CoverageCache } from "@svc/search/inspecting/coverage";
import type { StatisticsCache } from "@svc/search/ranking/statistics";
import { sendSources } from "@svc/testing/send-tree";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import type { FastifyInstance } from "fastify";
import type { DestinationStream } from "pino";
import { BudgetedQueryVectors } from "../src/features/search/finding/candidates/budgeted-query-vectors.ts";
import { AttributedStore } from "../src/platform/blobs/attributed-store.ts";
import type { BlobStore } from "../src/platform/blobs/blob-store.ts";
import { FileSystemStore } from "../src/platform/blobs/file-system-store.ts";
import { AccessSubjects } from "../src/platform/commands/access-subjects.ts";
import type { CommandContext } from "../src/platform/commands/command-context.ts";
import { Listeners } from "../src/platform/commands/listeners.ts";
import { CompletionSources } from "../src/platform/completions/completion-sources.ts";
import { Liveness } from "../src/platform/health/liveness.ts";
import { processReadiness } from "../src/platform/health/process-readiness.ts";
import type { IdentityProvider } from "../src/platform/identity/access-token-check.ts";
import { authenticators } from "../src/platform/identity/authenticators.ts";
import { formatServiceToken, hashSecret, newSecret } from "../src/platform/identity/service-token.ts";
import type { DemoSettings } from "../src/platform/process/config.ts";
import { featuresFolder } from "../src/platform/process/features-folder.ts";
import { createLog } from "../src/platform/process/log.ts";
import { Metrics } from "../src/platform/process/metrics.ts";
import {
  type DiskSettings,
  defaultStagingSettings,
  type StagingSettings,
} from "../src/platform/process/staging-settings.ts";
import { Embedders, type PricedEmbedder } from "../src/platform/search/embedders.ts";
import { RecallCanary } from "../src/platform/search/recall-canary.ts";
import { Search } from "../src/platform/search/search.ts";
import { SearchSources } from "../src/platform/search/search-source.ts";
import { Staging } from "../src/platform/uploads/staging.ts";
import { TransferTickets } from "../src/platform/uploads/transfer-ticket.ts";
import type { Limits } from "../src/surfaces/http/limits.ts";
import { createServer } from "../src/surfaces/server.ts";
import { UnexpectedErrors } from "./unexpected-errors.ts";

export interface TestBackendOptions {
  /** The real catalog if absent. */
  catalog?: Catalog<CommandContext>;
  /** Those of the features if absent. */
  listeners?: Listeners;
  rate?: { perCredential: number; perAddress: number };
  /** Milliseconds, for rate limits and cached credentials. If absent, the minute of a rate limit never ends. */
  now?: () => number;
  limits?: Partial<Limits>;
  staging?: Partial<StagingSettings & DiskSettings>;
  /** The public demo; none if absent. */
  demo?: DemoSettings;
  maxConnections?: number;
  /** After so long without an answer a database connection counts as dead. */
  silenceMillis?: number;
  /** Where uploads arrive, and contents without a store; a temporary folder if absent. */
  folder?: string;
  identityProvider?: IdentityProvider;
  /** In a separate folder if absent. */
  blobStore?: BlobStore;
  /** A database of another backend, which drops it; a separate one if absent. */
  testDatabase?: TestDatabase;
  /** The visibility cache of searches. */
  statistics?: StatisticsCache;
  /** None if absent: nothing is found by meaning. */
  embedders?: readonly PricedEmbedder[];
  /** Where the vectors of queries come from. */
  queryVectors?: ConstructorParameters<typeof BudgetedQueryVectors>[2];
  /** The meaning cache of searches. */
  coverage?: CoverageCache;
  /** Where the whole log goes. */
  logTo?: DestinationStream;
}

export interface TestTenant {
  id: string;
  /** Token of an administrator, which is a service account. */
  token: string;
  administratorId: string;
  /** The address of a person by the name they were added with, because names find only people who share something. */
  addressOf(person: string): string;
  addPerson(
    name: string,
    options?: { kind?: "user" | "service" | "ai"; isAdministrator?: boolean; scopes?: string[] | undefined },
  ): Promise<{ id: string; token: string }>;
  /** Another token of an existing person. */
  addToken(
    principalId: string,
    token: { name: string; scopes?: readonly string[] | undefined },
  ): Promise<string>;
}

export interface CliReply {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: Extract<CliAnswer, { kind: "result" }> & Problem;
}

/**
 * No request is refused or ended because the test machine is busy. Zero instead of a large number: an event loop
 * without a sample in a second counts as infinitely late.
 */
const calm: Partial<Limits> = {
  eventLoopDelayMillis: 0,
  heldMemoryShare: 0,
  commandMillis: 300_000,
  completionMillis: 300_000,
};

/** However full the disk of the test machine is. */
const anyDisk: Partial<DiskSettings> = { reservedBytes: 0 };

/** The whole backend in this process, on a separate database, called without a port. */
export class TestBackend {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly testDatabase: TestDatabase;
  readonly metrics: Metrics;
  readonly blobStore: BlobStore;
  /** Where uploads arrive. */
  readonly folder: string;
  readonly staging: Staging;
  readonly #unexpected: UnexpectedErrors;
  #mayFail = false;
  #tenants = 0;

  private constructor(parts: {
    server: FastifyInstance;
    database: Database;
    testDatabase: TestDatabase;
    metrics: Metrics;
    blobStore: BlobStore;
    folder: string;
    staging: Staging;
    unexpected: UnexpectedErrors;
  }) {
    this.server = parts.server;
    this.database = parts.database;
    this.testDatabase = parts.testDatabase;
    this.metrics = parts.metrics;
    this.blobStore = parts.blobStore;
    this.folder = parts.folder;
    this.staging = parts.staging;
    this.#unexpected = parts.unexpected;
  }

  static async start(options: TestBackendOptions = {}): Promise<TestBackend> {
    const testDatabase = options.testDatabase
      ? { ...options.testDatabase, drop: async () => {} }
      : await createTestDatabase();
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "svc-test-")));
    const database = new Database({
      url: testDatabase.appUrl,
      maxConnections: options.maxConnections ?? 5,
      ...(options.silenceMillis === undefined ? {} : { silenceMillis: options.silenceMillis }),
    });
    const unexpected = new UnexpectedErrors(options.logTo);
    const log = createLog({ logLevel: options.logTo ? "trace" : "error", logPretty: false }, unexpected);
    const metrics = new Metrics();
    const blobStore = options.blobStore ?? new FileSystemStore(folder);
    const staging = new Staging(folder, { ...defaultStagingSettings, ...anyDisk, ...options.staging });
    const embedders = new Embedders(options.embedders ?? []);
    const server = await createServer({
      config: {
        rate: options.rate ?? { perCredential: 1e9, perAddress: 1e9 },
        trustedProxies: 0,
        ...(options.demo ? { demo: options.demo } : {}),
        ...(options.identityProvider ? { identityProvider: options.identityProvider } : {}),
      },
      database,
      catalog: options.catalog ?? (await loadCatalog<CommandContext>(featuresFolder)),
      listeners: options.listeners ?? (await Listeners.load(featuresFolder)),
      accessSubjects: await AccessSubjects.load(featuresFolder),
      completionSources: await CompletionSources.load(featuresFolder),
      search: new Search({
        sources: await SearchSources.load(featuresFolder),
        queryVectors: new BudgetedQueryVectors(database, embedders, options.queryVectors),
        recallCanary: new RecallCanary(metrics),
        statistics: options.statistics,
        coverage: options.coverage,
      }),
      blobStore: new AttributedStore(blobStore),
      staging,
      tickets: new TransferTickets("a secret that is only used by tests", () => database.clock()),
      ...authenticators(database, options.identityProvider, log, options.now),
      liveness: new Liveness(database, 240_000),
      readiness: processReadiness({ database, blobStore, staging, embedders, log }),
      metrics,
      log,
      limits: { ...calm, ...options.limits },
      now: options.now ?? (() => 0),
    });
    await server.ready();
    return new TestBackend({
      server,
      database,
      testDatabase,
      metrics,
      blobStore,
      folder,
      staging,
      unexpected,
    });
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.database.close();
    await this.testDatabase.drop();
    // A call that was given up may write its last file meanwhile.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** In most tests people start with their own workspace, hence the setting. */
  async addTenant(
    name = `Tenant ${this.#tenants + 1}`,
    { workspaceCreation = "everyone" }: { workspaceCreation?: "everyone" | "members" } = {},
  ): Promise<TestTenant> {
    this.#tenants += 1;
    const slug = `tenant-${this.#tenants}`;
    const id = await this.provision(async (provisioner) => {
      const added = await provisioner.addTenant({ name, slug });
      // Without a row it is `members`.
      if (workspaceCreation !== "members") await provisioner.setWorkspaceCreation(added, workspaceCreation);
      return added;
    });
    const addressOf = (person: string) => `${person.toLowerCase()}@${slug}.example`;
    const addPerson: TestTenant["addPerson"] = async (
      person,
      { kind = "user", isAdministrator, scopes } = {},
    ) => {
      const principalId = await this.provision((provisioner) =>
        provisioner.addPrincipal(id, {
          kind,
          name: person,
          email: kind === "user" ? addressOf(person) : undefined,
          isAdministrator,
        }),
      );
      return {
        id: principalId,
        token: await addToken(principalId, { name: person, scopes }),
      };
    };
    const addToken: TestTenant["addToken"] = async (principalId, given) => {
      const secret = newSecret();
      const credential = { principalId, secretHash: hashSecret(secret), ...given };
      const credentialId = await this.provision((provisioner) => provisioner.addCredential(id, credential));
      return formatServiceToken({ credentialId, secret });
    };
    const { id: administratorId, token } = await addPerson("root", {
      kind: "service",
      isAdministrator: true,
    });
    return { id, token, administratorId, addressOf, addPerson, addToken };
  }

  provision<T>(work: (provisioner: Provisioner) => Promise<T>): Promise<T> {
    return Provisioner.with(this.testDatabase.adminUrl, work);
  }

  /** In here the server breaks on purpose. Anywhere else an internal error fails the test, with its cause. */
  async whileBroken<T>(work: () => Promise<T>): Promise<T> {
    this.#mayFail = true;
    try {
      return await work();
    } finally {
      this.#mayFail = false;
    }
  }

  /** Types one line as a client would. A word list, or one string that is split at spaces. */
  async type(
    token: string,
    line: string | string[],
    options: { request?: Partial<CliRequest>; headers?: Record<string, string> } = {},
  ): Promise<CliReply> {
    const answer = await this.server.inject({
      method: "POST",
      url: "/api/v1/cli",
      headers: { ...credentialHeaders(token), ...options.headers },
      payload: { argv: typeof line === "string" ? line.split(" ") : line, want: "data", ...options.request },
    });
    if (answer.statusCode === 500 && !this.#mayFail) {
      throw new Error(`${line}: ${this.#unexpected.last ?? answer.body}`);
    }
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }

  /** Types a line that names one local file, sends it, and repeats the line, like a client. */
  async send(token: string, line: string | string[], content: string | Uint8Array): Promise<CliReply> {
    const asked = await this.type(token, line);
    const { uploads, continuation } = asked.body as unknown as UploadAnswer;
    if (!uploads?.[0]) return asked;
    const sent = await this.server.inject({
      method: "PATCH",
      url: uploads[0].href,
      headers: {
        ...credentialHeaders(token),
        "content-type": "application/offset+octet-stream",
        "upload-offset": "0",
      },
      payload: Buffer.from(content),
    });
    if (sent.statusCode !== 204) throw new Error(`${line}: upload answered ${sent.statusCode} ${sent.body}`);
    return this.type(token, line, { request: { continuation } });
  }

  /** The same for a folder: its manifest, then what the answers ask for. A name that ends with a slash is a folder. */
  sendFolder(
    token: string,
    line: string | string[],
    files: Record<string, string>,
    request: Partial<CliRequest> = {},
    headers: Record<string, string> = {},
  ): Promise<CliReply> {
    return this.sendSources(token, line, () => files, request, headers);
  }

  /** The same for every path that the line names: a file, or a folder with these files. */
  sendSources(
    token: string,
    line: string | string[],
    sourceOf: Parameters<typeof sendSources>[0],
    request: Partial<CliRequest> = {},
    headers: Record<string, string> = {},
  ): Promise<CliReply> {
    return sendSources(sourceOf, {
      type: (more) => this.type(token, line, { request: { ...request, ...more }, headers }),
      post: async (url, payload, mediaType) => {
        const answer = await this.server.inject({
          method: "POST",
          url,
          headers: { ...credentialHeaders(token), "content-type": mediaType },
          payload,
        });
        if (answer.statusCode > 204) throw new Error(`${line}: ${answer.statusCode} ${answer.body}`);
        return answer.body;
      },
    });
  }

  /** The same, but anything except success is a mistake in the test; returns the data of the answer. */
  async run<Data = Record<string, unknown>>(token: string, line: string | string[]): Promise<Data> {
    const { status, body } = await this.type(token, line);
    if (status !== 200) throw new Error(`${line}: ${status} ${body.code} ${body.detail}`);
    return body.data as Data;
  }
}

/** Of a token, or of a session: its token, a space, its ticket. */
export function credentialHeaders(credential: string): Record<string, string> {
  const [token, ticket] = credential.split(" ");
  return {
    authorization: `Bearer ${token}`,
    ...(ticket === undefined ? {} : { [headers.sessionTicket]: ticket }),
  };
}
