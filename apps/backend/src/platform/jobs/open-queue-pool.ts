import { openPool } from "@svc/database/connections/open-pool";
import { PatientPool } from "@svc/database/connections/patient-pool";
import { WatchedClient } from "@svc/database/connections/watched-client";
import type { Log } from "../process/log.ts";

export interface QueuePoolOptions {
  databaseUrl: string;
  /** See `PoolOptions.silenceMillis`. */
  databaseSilenceMillis: number;
  log: Log;
}

/** Connections of graphile-worker. It survives what the pool survives for it: see ADR 41. */
export function openQueuePool({ databaseUrl, databaseSilenceMillis, log }: QueuePoolOptions): PatientPool {
  return openPool(
    {
      url: databaseUrl,
      maxConnections: 10,
      silenceMillis: databaseSilenceMillis,
      onIdleError: (error) => log.warn({ err: error }, "a database connection of the queue broke"),
      Client: QueueClient,
    },
    (config) =>
      new PatientPool(config, (error, pauseMillis) =>
        log.error({ err: error, pauseMillis }, "the queue cannot connect to the database and will try again"),
      ),
  );
}

/** A mistake in the statement or its data: repeating it would not help. */
const mistakes = /^(22|23|42)/;
/** graphile-worker repeats a statement for this code, soon and often; for a lost connection it would end the process. */
const repeatable = { code: "40001" };

class QueueClient extends WatchedClient {
  override query(...given: unknown[]): never {
    const answer: unknown = super.query(...given);
    return (answer instanceof Promise ? answer.catch(throwRepeatable) : answer) as never;
  }
}

function throwRepeatable(error: Error & { code?: string }): never {
  if (mistakes.test(error.code ?? "")) throw error;
  throw Object.assign(new Error(error.message, { cause: error }), repeatable);
}
