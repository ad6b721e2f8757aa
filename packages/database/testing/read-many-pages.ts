import { getHeapSpaceStatistics } from "node:v8";
import pg from "pg";
import { runQuery } from "../src/connections/run-query.ts";

/** In a separate process: a test runner keeps much of what its tests touch. Prints how far the old heap grew, in MB. */
const page = {
  name: "page",
  text: "select gen_random_uuid() as id, repeat('x', 100) || n as name, now() as at from generate_series(1, 200) as n",
};

function oldMegabytes(): number {
  const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space");
  return (old?.space_used_size ?? 0) / 1e6;
}

const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
let [least, growth] = [Number.POSITIVE_INFINITY, 0];
for (let read = 0; read < 600; read += 1) {
  const { rows } = await runQuery(client, { ...page });
  if (rows.length !== 200) throw new Error(`there are ${rows.length} rows`);
  // A collection of the old heap may come in between.
  least = Math.min(least, oldMegabytes());
  growth = Math.max(growth, oldMegabytes() - least);
}
await client.end();
process.stdout.write(`${growth}\n`);
