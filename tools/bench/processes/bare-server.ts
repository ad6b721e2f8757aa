import Fastify from "fastify";
import pg from "pg";
import { type BareCall, bareEnvironment } from "./bare-process.ts";

/** The minimum that can answer: one route, one transaction with the tenant set, the rows as JSON. */
const port = Number(process.env[bareEnvironment.port]);
const call = JSON.parse(process.env[bareEnvironment.call] ?? "") as BareCall;
const pool = new pg.Pool({ connectionString: call.databaseUrl, max: call.poolSize });
const app = Fastify();

app.get("/", async () => {
  const client = await pool.connect();
  try {
    await client.query(call.begin);
    const { rows } = await client.query(call.statement, call.parameters);
    await client.query("commit");
    return rows;
  } finally {
    client.release();
  }
});

await app.listen({ host: "127.0.0.1", port });
process.on("SIGTERM", () => void app.close().then(() => pool.end()));
