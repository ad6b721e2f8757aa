import pg from "pg";

const firstLookMillis = 700;
const nextLookMillis = 10_000;

/**
 * Tells a person what a long statement is doing: which transactions it waits for, or that it still runs. Looks through a
 * second connection, and opens it only if the statement takes long. Returns how to stop.
 */
export function watchStatement(
  adminUrl: string,
  backendPid: number,
  report: (line: string) => void,
): () => Promise<void> {
  const begun = performance.now();
  let client: pg.Client | undefined;
  let looking = Promise.resolve();
  let timer = setTimeout(look, firstLookMillis);

  function look(): void {
    looking = describe().then(report, (error: Error) =>
      report(`cannot see what it waits for: ${error.message}`),
    );
    timer = setTimeout(look, nextLookMillis);
  }

  async function describe(): Promise<string> {
    if (!client) {
      client = new pg.Client({ connectionString: adminUrl });
      client.on("error", () => {}); // The next query fails with it.
      await client.connect();
    }
    const { rows } = await client.query<{ holder: string }>(holders, [backendPid]);
    if (rows.length > 0) return `waiting for ${rows.map(({ holder }) => holder).join(", ")}`;
    return `running for ${Math.round((performance.now() - begun) / 1_000)} s`;
  }

  return async () => {
    clearTimeout(timer);
    await looking;
    await client?.end();
  };
}

const holders = `
  select format('pid %s (%s, %s, transaction open for %s s)', pid, usename, state,
    round(extract(epoch from clock_timestamp() - xact_start))) as holder
  from pg_stat_activity where pid = any (pg_blocking_pids($1)) order by xact_start`;
