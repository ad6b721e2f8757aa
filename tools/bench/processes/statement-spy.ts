import { appendFileSync } from "node:fs";
import pg from "pg";

/** Loaded into an API process before its own code (`node --import`): records its statements. */
const file = process.env.BENCH_SPY_FILE;
if (file !== undefined) {
  const client = pg.Client.prototype as unknown as { query: (...values: unknown[]) => unknown };
  const { query } = client;
  client.query = function spied(this: { processID?: number }, ...values: unknown[]) {
    const [asked] = values as [string | { text: string; values?: unknown[] }];
    const { text, values: parameters = [] } = typeof asked === "string" ? { text: asked } : asked;
    appendFileSync(file, `${JSON.stringify({ connection: this.processID, text, parameters })}\n`);
    return query.apply(this, values);
  };
}
