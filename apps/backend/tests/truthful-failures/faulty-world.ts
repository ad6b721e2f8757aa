import { join } from "node:path";
import { createEmbedder } from "@svc/embedding/create-embedder";
import { TestIdentityProvider } from "@svc/testing/identity-provider";
import { SilentProxy } from "@svc/testing/silent-proxy";
import { SparePostgres } from "@svc/testing/spare-postgres";
import pg from "pg";
import { S3Store } from "../../src/platform/blobs/s3-store.ts";
import { priced } from "../../src/platform/search/embedders.ts";
import { ConceptEmbedder } from "../../testing/embedders/concept-embedder.ts";
import type { FilesTown } from "../../testing/files-test.ts";
import { meaningTown } from "../../testing/meaning-test.ts";
import { prepareSpareDatabase } from "../../testing/processes/spare-database.ts";
import { TestBackend } from "../../testing/test-backend.ts";
import { createTestBucket } from "../../testing/test-bucket.ts";
import { PaidEmbeddingServer } from "../embedding/paid-embedding-server.ts";
import { SmallDisk } from "./small-disk.ts";

export interface FaultyWorld {
  backend: TestBackend;
  town: FilesTown;
  /** Of somebody who signed in at the identity provider. */
  accessToken: string;
  postgres: SparePostgres;
  /** As the superuser, past the network. */
  asAdmin(statement: string): Promise<void>;
  network: Record<"database" | "store" | "model", SilentProxy>;
  provider: TestIdentityProvider;
  /** Where uploads arrive. */
  disk: SmallDisk;
  logged: Record<string, unknown>[];
  close(): Promise<void>;
}

/** A backend whose dependencies are real and belong to it alone, behind a network that can fail. */
export async function buildFaultyWorld(): Promise<FaultyWorld> {
  const cleanUp = new AsyncDisposableStack();
  const postgres = cleanUp.adopt(await SparePostgres.start(), (each) => each.remove());
  const asAdmin = (statement: string) => runOnce(postgres.url, statement);
  const appUrl = await prepareSpareDatabase(postgres.url);
  // Short, so that the test is.
  await asAdmin("alter role svc_app set lock_timeout = '300ms'");

  const bucket = cleanUp.adopt(await createTestBucket(), (each) => each.drop());
  const model = cleanUp.adopt(await PaidEmbeddingServer.start({ longestMillis: 0 }), (each) => each.close());
  const provider = cleanUp.adopt(await TestIdentityProvider.start(), (each) => each.close());
  const disk = cleanUp.adopt(await SmallDisk.mount(), (each) => each.unmount());
  const proxy = async (url: string) => cleanUp.adopt(await SilentProxy.start(url), (each) => each.stop());
  const network = {
    database: await proxy(appUrl),
    store: await proxy(bucket.endpoint),
    model: await proxy(model.url),
  };

  const logged: FaultyWorld["logged"] = [];
  const remote = await createEmbedder({ kind: "openai", url: network.model.url, model: "remote" });
  const backend = await TestBackend.start({
    testDatabase: {
      name: "postgres",
      adminUrl: postgres.url,
      appUrl: network.database.url,
      workerUrl: network.database.url,
      drop: async () => {},
    },
    // Short, so that the test is, and longer than a busy machine takes to answer.
    silenceMillis: 5_000,
    blobStore: new S3Store({ ...bucket, endpoint: network.store.url }, { answerMillis: 1_000 }),
    folder: join(disk.folder, "uploads"),
    staging: { reservedBytes: 100_000, noticedBytes: 150_000 },
    embedders: [priced(remote, "0"), priced(new ConceptEmbedder(), "0")],
    queryVectors: { restMillis: 0 },
    identityProvider: {
      issuer: provider.issuer,
      audience: provider.audience,
      clients: "any",
      defaultScopes: ["*"],
    },
    logTo: { write: (line) => void logged.push(JSON.parse(line)) },
  });
  cleanUp.defer(() => backend.close());
  const town = await meaningTown(backend);
  await backend.provision((provisioner) =>
    provisioner.addAdmission(town.tenant.id, { issuer: provider.issuer, claim: "org", value: "kumo" }),
  );
  const { accessToken } = await provider.issue("mina", { claims: { org: "kumo" } });
  return {
    backend,
    town,
    accessToken,
    postgres,
    asAdmin,
    network,
    provider,
    disk,
    logged,
    close: () => cleanUp.disposeAsync(),
  };
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
