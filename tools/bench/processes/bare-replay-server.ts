import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import Fastify from "fastify";
import pg from "pg";
import { type BareReplayCall, bareEnvironment } from "./bare-process.ts";

/**
 * The minimum that can send the same statements: one handler that repeats, on one connection, what the product asked
 * the database for the same keystroke, and answers with the rows of the last one. It parses, checks and shows nothing.
 */
const port = Number(process.env[bareEnvironment.port]);
const { databaseUrl, poolSize, recorded } = JSON.parse(
  process.env[bareEnvironment.call] ?? "",
) as BareReplayCall;
const calls = new Map(
  Object.entries(
    JSON.parse(readFileSync(recorded, "utf8")) as Record<string, { text: string; parameters: unknown[] }[]>,
  ),
);
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
const app = Fastify();

app.get("/", async () => ({ ok: true }));

app.get<{ Querystring: { q: string } }>("/suggest", async ({ query: { q } }, reply) => {
  const statements = calls.get(q);
  if (!statements) return reply.code(404).send({});
  const client = await pool.connect();
  try {
    let rows: unknown[] = [];
    for (const { text, parameters } of statements) {
      // Several statements in one trip cannot be prepared.
      const name = text.includes(";")
        ? {}
        : { name: createHash("sha256").update(text).digest("hex").slice(0, 40) };
      const answer = (await client.query({ text, values: parameters, ...name })) as
        | pg.QueryResult
        | pg.QueryResult[];
      ({ rows } = Array.isArray(answer) ? (answer.at(-1) ?? { rows }) : answer);
    }
    return rows;
  } catch (error) {
    await client.query("rollback");
    // The product's own limit on a statement, which is among the statements: it answers with what it has by then.
    if ((error as { code?: string }).code !== "57014") throw error;
    return [];
  } finally {
    client.release();
  }
});

await app.listen({ host: "127.0.0.1", port });
process.on("SIGTERM", () => void app.close().then(() => pool.end()));
