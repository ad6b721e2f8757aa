import { parseArgv } from "@svc/command-router/arguments/parse-argv";
import { ProblemError } from "@svc/protocol/problem";
import { admitCall, runCommand } from "../../platform/commands/run-command.ts";
import { shareOf } from "../../platform/identity/caller.ts";
import { callerNow } from "../../platform/identity/caller-now.ts";
import type { Log } from "../../platform/process/log.ts";
import type { StagedCall } from "../../platform/uploads/staged-call.ts";
import type { StoredCommit, Watcher } from "./commits.ts";
import { announcedBy, readUploads, type UploadParts } from "./continue-call.ts";
import { typedCall } from "./typed-call.ts";
import { openManifests, stillWanted } from "./upload-exchange.ts";

const everyMillis = 10_000;
/** What has ended this many processes may be the reason. The same line can still repeat it. */
const mostAttempts = 3;

type Parts = UploadParts & { log: Log };

/** Looks for commits whose process has died, and runs them here. Any process that can see their files does this. */
export class TakeOver {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look()
        .catch((error: unknown) => parts.log.warn({ err: error }, "could not look for abandoned commits"))
        .finally(() => {
          this.#looking = undefined;
        });
    }, everyMillis).unref();
  }

  /** A look under way ends before. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { staging, commits, limits, log } = this.#parts;
    for await (const { found, attempts } of staging.abandonedCommits()) {
      if (attempts >= mostAttempts) continue;
      const commit = found as StoredCommit;
      const staged = staging.call(commit.caller, commit.ticket.call);
      // It has ended, and only its files are still here.
      if (await staged.isUsed()) continue;
      const work = (watcher: Watcher) => this.#run(staged, commit, watcher);
      // They run side by side.
      void commits.run(staged, { commit, millis: limits.storingMillis }, work).then(
        () => log.info({ call: staged.id }, "stored an upload for a process that died"),
        (error: unknown) =>
          log.warn({ err: error, call: staged.id }, "could not store an upload for a process that died"),
      );
    }
  }

  async #run(staged: StagedCall, commit: StoredCommit, watcher: Watcher): Promise<void> {
    const parts = this.#parts;
    const { ticket, repeated, headers, requestId, callerRequestId } = commit;
    const caller = await callerNow(parts.database, commit.caller);
    const parsed = parseArgv(parts.catalog, repeated.argv);
    if (parsed.kind === "help") throw new Error("help was never stored");
    const { command } = parsed;
    const call = typedCall(parsed, headers, repeated.workspace);
    const context = {
      caller,
      requestId,
      callerRequestId,
      log: parts.log.child({ requestId, callerRequestId }),
      limitMillis: parts.limits.storingMillis,
      ...watcher,
    };
    const sent = await openManifests(staged, ticket, repeated);
    const admitted = await admitCall(parts, call, context, announcedBy(sent));
    if (admitted.isAnswered) return;
    const wanted = await stillWanted(parts, staged, command, sent, repeated, admitted);
    // Somebody changed what is there meanwhile. The same line sends it.
    if (wanted.length > 0) throw new ProblemError("unavailable", "Some contents have not arrived.");
    const uploads = await readUploads(parts, { staged, caller, command, sent, repeated }, watcher);
    await parts.uploadShares.storing.run(
      shareOf(caller),
      () => runCommand(parts, call, { ...context, uploads }),
      watcher,
    );
  }
}
