import pg from "pg";

export type Client = pg.Client;

/** One connection for as long as `work` takes. An open transaction ends with it. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
