import { Failure, Interrupted } from "@svc/machine/failure";

/** The server keeps what it has of an unfinished upload. */
export function kept(error: Failure): Failure {
  return new Failure(error.kind, error.message, {
    hint: "What has arrived is kept for a day: repeat the line to resume.",
    cause: error,
  });
}

export function keptIfInterrupted(error: unknown): unknown {
  return error instanceof Interrupted ? kept(error) : error;
}
