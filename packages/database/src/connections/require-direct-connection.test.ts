import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { createTestDatabase, type TestDatabase } from "@svc/testing/test-database";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { migrate } from "../migrate.ts";
import { PooledConnection, requireDirectConnection } from "./require-direct-connection.ts";

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

/** Like PgBouncer, it answers a login with a number that it made up: message K, its length, then the process. */
async function startPooler(databaseUrl: string): Promise<string> {
  const { port, hostname } = new URL(databaseUrl);
  const pooler = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.pipe(server);
    server.on("data", (chunk) => {
      const key = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0]));
      if (key >= 0) chunk.writeInt32BE(7, key + 5);
      client.write(chunk);
    });
    for (const socket of [client, server]) socket.on("error", () => {});
    client.once("close", () => server.destroy());
  });
  pooler.listen(0, "127.0.0.1");
  await once(pooler, "listening");
  onTestFinished(() => void pooler.close());
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((pooler.address() as AddressInfo).port);
  return url.href;
}

test("a connection through a pooler is refused, and a direct one is not", async () => {
  const pooled = await startPooler(testDatabase.appUrl);
  const check = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      await requireDirectConnection(client);
    } finally {
      await client.end();
    }
  };
  await check(testDatabase.appUrl);
  await expect(check(pooled)).rejects.toThrow(PooledConnection);
});

test("migrate refuses a pooler before it does anything", async () => {
  const pooled = await startPooler(testDatabase.adminUrl);
  await expect(migrate(pooled)).rejects.toThrow("leads through a connection pooler");
});
