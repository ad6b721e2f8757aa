import { errorTable } from "@svc/protocol/error-table";
import { ProblemError } from "@svc/protocol/problem";
import type { FastifyRequest } from "fastify";
import { type Dependency, originOf } from "../../platform/process/dependency.ts";
import { LimitedLines } from "../../platform/process/limited-lines.ts";
import type { Log } from "../../platform/process/log.ts";
import type { Metrics } from "../../platform/process/metrics.ts";
import { requestIds } from "./request-context.ts";

declare module "fastify" {
  interface FastifyInstance {
    problemReports: ProblemReports;
  }
  interface FastifyRequest {
    /** What it was answered with, for the line that every request gets. */
    problem?: { code: string; dependency: Dependency | undefined };
  }
}

/**
 * Tells operators about the problems that callers were answered with. Each is counted, and its code is in the line that
 * every request gets. A failure of this process or of a dependency also gets a line that says why.
 */
export class ProblemReports {
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #lines = new LimitedLines();

  constructor({ log, metrics }: { log: Log; metrics: Metrics }) {
    this.#log = log;
    this.#metrics = metrics;
  }

  note(error: unknown, { code, message }: ProblemError, request: FastifyRequest): void {
    const dependency = originOf(error);
    const command = request.commandPath;
    request.problem = { code, dependency };
    this.#metrics.countCommand({ command, code, dependency });
    if (errorTable[code].status < 500 || isOfWhoLeft(error, request)) return;
    const tenant = request.caller?.tenant.id;
    const line = { code, dependency, command, tenant, ...requestIds(request), err: error };
    const isUnexpected = code === "internal";
    const level = isUnexpected || dependency ? "error" : "warn";
    this.#lines.write(
      [code, dependency, command, isUnexpected ? placeOf(error) : ""].join("|"),
      line,
      isUnexpected ? "unexpected error" : message,
      (...written) => this.#log[level](...written),
    );
  }

  /** Writes what was only counted so far; for the end of the process. */
  flush(): void {
    this.#lines.flush();
  }
}

/** Where it was thrown: two mistakes of ours in one command are two kinds, and each needs its own line. */
function placeOf(error: unknown): string | undefined {
  return error instanceof Error ? /^ +at .*/m.exec(error.stack ?? "")?.[0] : String(error).slice(0, 100);
}

/** A caller who disconnects ends their command and the stream of its answer. That is not a failure. */
function isOfWhoLeft(error: unknown, { raw }: FastifyRequest): boolean {
  if (!raw.socket.destroyed) return false;
  const isGivenUp = error instanceof ProblemError && error.code === "timeout";
  return isGivenUp || (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE";
}
