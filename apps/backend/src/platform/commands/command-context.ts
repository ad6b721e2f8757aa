import type { CommandFacts } from "@svc/command-router/catalog";
import type { UndoneOperation } from "@svc/command-router/command";
import type { Shown } from "@svc/command-router/dispatch";
import type { Memo } from "@svc/command-router/memo";
import type { TenantTransaction } from "@svc/database/database";
import type { Change, ProgressAnswer } from "@svc/protocol/exchange";
import type { IdKind } from "@svc/protocol/typed-id";
import type { Blobs } from "../blobs/blobs.ts";
import type { Caller } from "../identity/caller.ts";
import type { Log } from "../process/log.ts";
import type { Search } from "../search/search.ts";
import type { StagedFile } from "../uploads/staged-file.ts";
import type { Events } from "./events.ts";
import type { SharedThings } from "./shared-things.ts";

/** A call as it was asked for, and who would make it. */
export interface Rehearsed {
  command: string;
  arguments: unknown;
  workspace: string | undefined;
  as: Pick<Caller, "actor" | "scopes" | "commands"> & { inSession: boolean };
}

export interface Rehearsal {
  /** Everything it would do, in a form that is equal for everybody who would do the same. */
  does: readonly string[];
  /** As of a preview: of command, arguments, workspaces, changes and what it is bound to. */
  digest: string;
}

/** What takes back a line of a batch. */
export interface PartUndo {
  command: string;
  payload: unknown;
  /** Named by the rows that it changed. */
  changeId: string;
  /** Its number. Absent from what an earlier version recorded. */
  line?: number | undefined;
}

export interface PartDone {
  command: string;
  data: unknown;
  /** Absent if it changed nothing. */
  undo?: PartUndo;
}

/** Everything that a command can reach. It has no pool, so a command cannot bypass its transaction. */
export interface CommandContext {
  readonly transaction: TenantTransaction;
  readonly caller: Caller;
  readonly actor: Caller["actor"];
  /** Names the credential behind this call; sessions that use it count apart. */
  readonly madeWith: string;
  /** An AI member is at work, whoever owns the credential. */
  readonly inSession: boolean;
  /** Somebody in this tenant waits for a decision; who can decide is another question. */
  readonly approvalsWait: boolean;
  /** The workspace of this call as it was named: id, slug or name. The workspaces feature resolves it. */
  readonly workspace: string | undefined;
  /** The same, only if the line or body itself names it. */
  readonly namedWorkspace: string | undefined;
  /** Records a change of this command; a preview shows exactly these, and binds its token to their versions. */
  recordChange(change: Change): void;
  /**
   * Something new, and the id of what it is in. A later line of the batch can change it although its id differs from that
   * of the preview.
   */
  recordMade(kind: IdKind, id: string, within?: string): void;
  /** What else a preview's token and an approval are bound to: things by id, where changes have only names. */
  bindPreview(...things: unknown[]): void;
  /** Somebody reads the answer as text, so `showPeople` is worth its look-ups. */
  readonly isForPeople: boolean;
  /** What people read instead of the result: the same, with paths that they can type. */
  showPeople(shown: Shown): void;
  /** What an argument that was left out or shortened stands for: the audit log names that instead. */
  resolveArgument(name: string, value: string): void;
  /** Records what the command's `undo` needs. Without it the operation cannot be undone. */
  recordUndo(payload: unknown): void;
  /** For work done once at the end, however often it is requested; in the transaction, and in a preview too. */
  beforeCommit(work: () => Promise<void>): void;
  /** For effects outside the database. Runs once, after the commit; never in a preview. */
  afterCommit(effect: () => Promise<void>): void;
  /** Notifies listeners within this transaction: a listener that throws fails the command. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): Promise<void>;
  /**
   * Undoes another command with that command's own code; the caller must be allowed to run it. Returns the payload that
   * redoes it.
   */
  undo(commandPath: string, payload: unknown, operation: UndoneOperation): Promise<unknown>;
  /** Runs the lines of a batch one after the other, each as if it were alone, in this transaction. */
  runParts(): Promise<PartDone[]>;
  /** Takes back what lines of a batch did, the last one first. Returns what does it again, by the same call. */
  undoParts(parts: readonly PartUndo[], operation: UndoneOperation): Promise<PartUndo[]>;
  /** Is one of several lines, so that whatever it locks may have to be locked more strictly by the next. */
  readonly isPart: boolean;
  /** The command of this name, or those of the group; none if there is neither. */
  commandsNamed(name: string): readonly Pick<CommandFacts, "effect">[];
  /** Every scope that a command needs. */
  readonly scopesNamed: readonly string[];
  /** Runs a command as somebody would, and takes everything back. Throws what they would be told. */
  rehearse(rehearsed: Rehearsed): Promise<Rehearsal>;
  /** Files that the caller sent, by their paths as typed. */
  readonly uploads: ReadonlyMap<string, StagedFile>;
  /** Contents by digest. A commit keeps what is put here; a preview writes nothing. */
  readonly blobs: Blobs;
  readonly sharedThings: SharedThings<CommandContext>;
  readonly search: Search;
  /** What an earlier attempt of this call waited for, by a name that the command chooses. */
  memo<T>(key: string): Memo<T>;
  /** A small write that nobody waits for, even from a read: see `DeferredWrites`. Returns whether it will be done. */
  later(work: (transaction: TenantTransaction) => Promise<void>): boolean;
  progress(progress: Omit<ProgressAnswer, "kind">): void;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly now: Date;
  /** Where the caller is, as their client says; UTC if it does not. */
  readonly timeZone: string;
}
