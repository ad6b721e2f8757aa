import type { UndoneOperation } from "@svc/command-router/command";
import type { TenantTransaction } from "@svc/database/database";
import type { Change, ProgressAnswer } from "@svc/protocol/exchange";
import type { Blobs } from "../blobs/blobs.ts";
import type { Caller } from "../identity/caller.ts";
import type { Log } from "../process/log.ts";
import type { QueryVectors } from "../search/query-vectors.ts";
import type { RecallCanary } from "../search/recall-canary.ts";
import type { SearchSources } from "../search/search-source.ts";
import type { StagedFile } from "../uploads/staged-file.ts";
import type { Events } from "./events.ts";
import type { SharedThings } from "./shared-things.ts";

/** All that a command can reach. There is no pool in it: a command cannot get past its transaction. */
export interface CommandContext {
  readonly transaction: TenantTransaction;
  readonly caller: Caller;
  readonly actor: Caller["actor"];
  /** The workspace of this call as it was named: id, slug or name. The workspaces feature resolves it. */
  readonly workspace: string | undefined;
  /** What this command changes; a preview shows exactly these, and binds its token to their versions. */
  recordChange(change: Change): void;
  /** What the command's `undo` needs. Without it the operation cannot be undone. */
  recordUndo(payload: unknown): void;
  /** For what is done once at the end, however often it was asked for; in the transaction, and in a preview too. */
  beforeCommit(work: () => Promise<void>): void;
  /** For what leaves the database. Runs once, after the commit; never in a preview. */
  afterCommit(effect: () => Promise<void>): void;
  /** Tells who listens, within this transaction: a listener that throws fails the command. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): Promise<void>;
  /**
   * Brings back what another command did, with that command's own code; the caller must be allowed to run that command.
   * Answers the payload that redoes it.
   */
  undo(commandPath: string, payload: unknown, operation: UndoneOperation): Promise<unknown>;
  /** Files that the caller sent, by the name of their argument. */
  readonly uploads: ReadonlyMap<string, StagedFile>;
  /** Contents by digest. What is put here is kept by the commit; a preview writes none. */
  readonly blobs: Blobs;
  readonly sharedThings: SharedThings;
  /** What can be searched, by kind. */
  readonly searchSources: SearchSources;
  /** For what waits before its transaction, not within it. */
  readonly queryVectors: QueryVectors;
  readonly recallCanary: RecallCanary | undefined;
  /** A small write that nobody waits for, of a read too: see `Later`. Whether it will be done. */
  later(work: (transaction: TenantTransaction) => Promise<void>): boolean;
  progress(progress: Omit<ProgressAnswer, "kind">): void;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly now: Date;
}
