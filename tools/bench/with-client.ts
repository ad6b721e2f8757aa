import pg from "pg";

export type Client = pg.Client;

/** One connection for as long as `work` takes. What it left open in a transaction is gone with it. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
