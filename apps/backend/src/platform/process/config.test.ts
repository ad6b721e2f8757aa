import { expect, test } from "vitest";
import {
  readHttpConfig,
  readMigrateConfig,
  readProcessConfig,
  readSeedConfig,
  readWorkerConfig,
} from "./config.ts";

const complete = {
  SVC_DATABASE_URL: "postgres://svc_app:hush@127.0.0.1/svc",
  SVC_BLOB_FOLDER: "/var/lib/svc",
  SVC_SIGNING_SECRET: "0123456789abcdef0123456789abcdef",
};

test("requires little; the rest has defaults", () => {
  expect(readHttpConfig(complete)).toEqual({
    embedders: [],
    databaseUrl: complete.SVC_DATABASE_URL,
    blobFolder: "/var/lib/svc",
    staging: {
      resumeMillis: 24 * 3_600_000,
      bytesPerPerson: 120 * 1024 ** 3,
      bytesPerTenant: 240 * 1024 ** 3,
    },
    requireConfinement: false,
    logLevel: "info",
    logPretty: false,
    databaseConnections: 10,
    databaseSilenceMillis: 20_000,
    host: "127.0.0.1",
    port: 4310,
    metricsHost: "127.0.0.1",
    metricsPort: 4311,
    signingSecret: complete.SVC_SIGNING_SECRET,
    trustedProxies: 0,
    rate: { perCredential: 1_200, perAddress: 3_000 },
  });
});

test("a worker has separate settings for its jobs", () => {
  expect(readWorkerConfig(complete).jobs).toEqual({
    reindexPause: 1,
    shelfDocuments: 50_000,
    // Once a week.
    embeddingCron: "0 3 * * 0",
    embeddingSpread: 9,
  });
  const given = {
    ...complete,
    SVC_REINDEX_PAUSE: "0.5",
    SVC_SEARCH_SHELF_DOCUMENTS: "1000",
    SVC_EMBEDDING_CRON: "5 4 * * *",
    SVC_EMBEDDING_SPREAD: "60",
  };
  expect(readWorkerConfig(given).jobs).toEqual({
    reindexPause: 0.5,
    shelfDocuments: 1_000,
    embeddingCron: "5 4 * * *",
    embeddingSpread: 60,
  });
  expect(() => readWorkerConfig({ ...complete, SVC_REINDEX_PAUSE: "-1" })).toThrow(/SVC_REINDEX_PAUSE/);
});

test("embedders are a list, and a wrong one is named", () => {
  const given = (SVC_EMBEDDERS: string) => readWorkerConfig({ ...complete, SVC_EMBEDDERS });
  const list = [
    { kind: "openai", model: "small", key: "k", pricePerMillionTokens: "0.02" },
    { kind: "local" },
  ];
  expect(given(JSON.stringify(list)).embedders).toEqual([
    list[0],
    { kind: "local", pricePerMillionTokens: "0" },
  ]);
  for (const wrong of ["local", '{"kind":"local"}', '[{"kind":"magic"}]', '[{"kind":"local","colour":1}]']) {
    expect(() => given(wrong), wrong).toThrow(/SVC_EMBEDDERS/);
  }
  expect(() => given("local")).toThrow("SVC_EMBEDDERS: is not JSON");
  const dear = '[{"kind":"local","pricePerMillionTokens":"1e3"}]';
  expect(() => given(dear)).toThrow(/pricePerMillionTokens/);
});

test("names every variable that is not set, at once", () => {
  expect(() => readHttpConfig({})).toThrow(
    /SVC_DATABASE_URL: is not set.*SVC_BLOB_FOLDER: is not set.*SVC_SIGNING_SECRET: is not set/s,
  );
  expect(() => readProcessConfig({ SVC_DATABASE_URL: "postgres://" })).toThrow(/SVC_BLOB_FOLDER/);
  expect(() => readMigrateConfig({})).toThrow(/SVC_ADMIN_DATABASE_URL: is not set/);
  expect(() => readSeedConfig({})).toThrow(/SVC_ADMIN_DATABASE_URL: is not set.*SVC_TOKEN_FILE: is not set/s);
});

test("there is no demo unless somebody switches it on", () => {
  expect(readHttpConfig(complete).demo).toBeUndefined();
  expect(readHttpConfig({ ...complete, SVC_DEMO: "off" }).demo).toBeUndefined();
  expect(readHttpConfig({ ...complete, SVC_DEMO: "on", SVC_DEMO_VISITORS: "7" }).demo).toEqual({
    visitors: 7,
    visitorsPerAddress: 10,
    ratePerAddress: 300,
  });
  expect(() => readHttpConfig({ ...complete, SVC_DEMO: "yes" })).toThrow(/SVC_DEMO/);
});

test("the seed has content only with a database to put it in", () => {
  const seed = { SVC_ADMIN_DATABASE_URL: "postgres://admin", SVC_TOKEN_FILE: "kumo.token" };
  expect(readSeedConfig(seed)).toEqual({
    adminUrl: "postgres://admin",
    tokenFile: "kumo.token",
    isDemo: false,
  });
  expect(readSeedConfig({ ...seed, SVC_DEMO: "on" }).isDemo).toBe(true);
  expect(readSeedConfig({ ...seed, ...complete }).process).toMatchObject({ blobFolder: "/var/lib/svc" });
  expect(() => readSeedConfig({ ...seed, ...complete, SVC_BLOB_FOLDER: "" })).toThrow(/SVC_BLOB_FOLDER/);
});

test("SVC_MODELS moves the local model, and no other", () => {
  const embedders = [{ kind: "local" }, { kind: "local", modelFolder: "/here" }, { kind: "ollama" }];
  const given = { ...complete, SVC_MODELS: "/models", SVC_EMBEDDERS: JSON.stringify(embedders) };
  expect(readProcessConfig(given).embedders.map(({ modelFolder }) => modelFolder)).toEqual([
    "/models/minilm-l6-v2-int8",
    "/here",
    undefined,
  ]);
});

test.for([
  ["SVC_PORT", "http"],
  ["SVC_PORT", "70000"],
  ["SVC_METRICS_PORT", "-1"],
  ["SVC_DATABASE_CONNECTIONS", "0"],
  ["SVC_TRUSTED_PROXIES", "1.5"],
  ["SVC_LOG_LEVEL", "loud"],
  ["SVC_LOG_PRETTY", "maybe"],
  ["SVC_RATE_PER_CREDENTIAL", "none"],
  ["SVC_SIGNING_SECRET", "too short"],
  ["SVC_S3_ENDPOINT", "kumo"],
  ["SVC_OIDC_ISSUER", "kumo"],
  ["SVC_OIDC_ISSUER", "http://login.kumo.example"],
] as const)("names a wrong %s (%s), in plain words", ([name, value]) => {
  const environment = { ...complete, SVC_OIDC_AUDIENCE: "svc", [name]: value };
  expect(() => readHttpConfig(environment)).toThrow(
    new RegExp(`^The configuration is not valid:\n  ${name}: (must|is) `),
  );
});

test("a secret that is too short is not shown", () => {
  const environment = { ...complete, SVC_SIGNING_SECRET: "hush" };
  expect(() => readHttpConfig(environment)).toThrow(/^(?!.*hush).*SVC_SIGNING_SECRET/s);
});

test("an empty variable counts as absent: no port 0, no empty audience", () => {
  expect(readHttpConfig({ ...complete, SVC_PORT: "", SVC_OIDC_ISSUER: "" })).toMatchObject({ port: 4310 });
  expect(() => readHttpConfig({ ...complete, SVC_SIGNING_SECRET: "" })).toThrow(/SVC_SIGNING_SECRET/);
  const half = { ...complete, SVC_OIDC_ISSUER: "https://login.kumo.example", SVC_OIDC_AUDIENCE: "" };
  expect(() => readHttpConfig(half)).toThrow("SVC_OIDC_ISSUER and SVC_OIDC_AUDIENCE must be set together");
});

test("stores content in a bucket if one is named, with an endpoint that is not Amazon's", () => {
  const amazon = { ...complete, SVC_S3_BUCKET: "svc-content" };
  expect(readProcessConfig(amazon).s3).toEqual({ bucket: "svc-content", region: "us-east-1" });
  const other = { ...amazon, SVC_S3_REGION: "eu-central-1", SVC_S3_ENDPOINT: "https://s3.kumo.example" };
  expect(readProcessConfig(other).s3).toEqual({
    bucket: "svc-content",
    region: "eu-central-1",
    endpoint: "https://s3.kumo.example",
  });
  expect(() => readProcessConfig({ ...other, SVC_S3_BUCKET: "" })).toThrow(
    "SVC_S3_ENDPOINT needs SVC_S3_BUCKET",
  );
});

test("requires https for an identity provider, except on this machine", () => {
  for (const issuer of ["https://login.kumo.example/", "http://127.0.0.1:4444", "http://localhost:4444"]) {
    const environment = {
      ...complete,
      SVC_OIDC_ISSUER: issuer,
      SVC_OIDC_AUDIENCE: "svc",
      SVC_OIDC_CLIENTS: "svc-cli  svc-web",
    };
    expect(readHttpConfig(environment).identityProvider).toEqual({
      issuer,
      audience: "svc",
      clients: ["svc-cli", "svc-web"],
      defaultScopes: ["*"],
    });
  }
});

test("requires a decision on accepted clients and on the scopes of their tokens", () => {
  const provider = {
    ...complete,
    SVC_OIDC_ISSUER: "https://login.kumo.example",
    SVC_OIDC_AUDIENCE: "svc",
  };
  expect(() => readHttpConfig(provider)).toThrow(/^SVC_OIDC_CLIENTS must list the client ids/);
  const given = (clients: string, scopes: string) =>
    readHttpConfig({ ...provider, SVC_OIDC_CLIENTS: clients, SVC_OIDC_DEFAULT_SCOPES: scopes })
      .identityProvider;
  expect(given("*", "files:read search:read")).toMatchObject({
    clients: "any",
    defaultScopes: ["files:read", "search:read"],
  });
  expect(given("svc-cli", "none")).toMatchObject({ clients: ["svc-cli"], defaultScopes: [] });
  expect(() => given("svc-cli", "files")).toThrow(/SVC_OIDC_DEFAULT_SCOPES: must be scopes/);
});
