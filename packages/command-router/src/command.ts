import type { ErrorCode } from "@svc/protocol/error-table";
import type { Column, FolderPage } from "@svc/protocol/exchange";
import type { Run } from "@svc/protocol/styles";
import type { IdKind } from "@svc/protocol/typed-id";
import type { Text } from "@svc/rendering/styled-text";
import type { View } from "@svc/rendering/view";
import type { z } from "zod";
import type { ValueKind } from "./arguments/value-kind.ts";

/** `read` runs in a READ ONLY transaction; `write` can be undone or recreated; `destroy` cannot. */
export type Effect = "read" | "write" | "destroy";

/**
 * How AI members meet a command: in the list of tools, by searching for it, or not at all. What sets limits for them is
 * `never` theirs.
 */
export type ForAgents = "listed" | "searchable" | "never";

/**
 * `outward` changes who gets in: it gives or takes access or a credential. Taking counts as well, because an undo gives
 * it back.
 */
export type Reach = "inside" | "outward";

/** A property of the credential, never of a flag or a header. */
export type ActorKind = "human" | "service" | "ai";

/** How a person reads the result. A table shows its `items` and `nextCursor`; text is lines. */
export type Presentation<Result> =
  | {
      as: "table";
      columns: readonly ColumnOptions[];
      empty: string;
      /** On a terminal, if the columns depend on the result. */
      columnsOf?: (result: Result) => readonly ColumnOptions[];
      /** Below the table on a terminal. */
      summary?: (result: Result) => string;
      /** For people, if rows are hard to read; programs and `--format table` get the columns. */
      text?: (result: Result, view: View) => Text;
    }
  | {
      as: "text";
      text: (result: Result, view: View) => Text;
      /** The content of a file: its lines are its own. */
      isVerbatim?: true;
      /** Above the changes of a preview, of which people then see only the first ones; programs get all. */
      plan?: (result: Result) => string;
      /** What undoing this operation is called, if it undid something itself. */
      undoWord?: (result: Result) => "Undo" | "Redo";
    }
  | { as: "file" };

/**
 * What a value is decides how a terminal shows it; pipes and programs get it as it is. Ids need a wide terminal, and
 * what is `piped` tells people nothing that the other columns do not.
 */
export type ColumnKind = "time" | "bytes" | "count" | "id" | "piped";

export type ColumnOptions = Pick<Column, "field" | "label"> &
  Partial<Column> & {
    as?: ColumnKind;
    /** What a terminal shows of a row. */
    cell?: (row: Record<string, unknown>) => Run;
  };

/** Facts about the operation that is undone. */
export interface UndoneOperation {
  actorId: string;
  /** When its changes were made, in seconds since 1970, as exactly as the database knows. */
  at: string;
  /** Rows that it changed name it until they are changed again; null if it is older than these ids. */
  changeId: string | null;
}

/** What `operations undo` needs to revert an operation; the command's `run` records the payload. */
export interface Undo<Context, Payload extends z.ZodType = z.ZodType> {
  payload: Payload;
  /**
   * Checks the same rights as the command, and refuses if it would take away or revert what another person added or
   * changed since. Returns the payload with which `run` redoes what it has just undone.
   */
  run(context: Context, payload: z.output<Payload>, operation: UndoneOperation): Promise<z.input<Payload>>;
}

/** A separate address, for callers who know it from a contract: its body has its own names for the arguments. */
export interface Route<Arguments, Result> {
  path: string;
  /** `get` takes its fields from the address, as texts, and belongs to commands that only read. */
  method?: "get" | "post";
  /** Parsing the body, or what follows the `?` of the address, yields the arguments; its description shows it. */
  body: z.ZodType<Arguments>;
  answer: (result: Result) => unknown;
  answerSchema: z.ZodType;
  /** 202 if the work continues after the answer. */
  status?: 200 | 202;
}

/** One content of one file, as a result named it. */
export interface FileVersion {
  id: string;
  version: number;
  sha256: string;
}

/** What a caller is about to send: a file, or a folder with everything in it. */
export interface Announced {
  isFolder: boolean;
  /** A folder in it has no size. A file that was named itself is one entry without names. */
  entries: readonly { names: readonly string[]; size?: number }[];
  /** See `ManifestHead`. */
  leftOut?: readonly string[];
}

/** What a command says about what was announced, by path as typed. */
export type Checked = ReadonlyMap<string, CheckedEntries>;

export interface CheckedEntries {
  /** By entry: the digest of the content in its place, if the caller can read that. */
  there: ReadonlyMap<number, string>;
  /** Entries that the command will not store. */
  unwanted: ReadonlySet<number>;
}

export interface CommandOptions<
  Context,
  Arguments extends z.ZodObject,
  Result extends z.ZodType,
  Payload extends z.ZodType,
> {
  /** One line, imperative, no full stop. */
  summary: string;
  description?: string;
  /** The heading under which `help` lists the group. */
  category: string;
  /** Words that stand for the whole path: `ls` for `files list`. */
  aliases?: readonly string[];
  /** What people and agents call it who do not know its name, in lower case: to find it, and to hint at it. */
  keywords?: readonly string[];
  /** Runs if the word after the group does not name a command: `search tea`. One of a group, and it only reads. */
  isDefault?: boolean;
  effect: Effect;
  agents: ForAgents;
  reach: Reach;
  /** All of them are needed. */
  scopes: readonly string[];
  arguments: Arguments;
  positionals?: readonly (keyof z.input<Arguments> & string)[];
  result: Result;
  /** What its tool answers agents with, who pay for each token; `commands_run` answers with the whole result. */
  brief?: (result: z.output<Result>) => Record<string, unknown>;
  presentation: Presentation<z.output<Result>>;
  examples: readonly { command: string; note: string }[];
  /** Codes of errors that only this command has, beyond those of all commands. */
  failures: readonly ErrorCode[];
  /** Exit code of a complete result: 60 if it reports a failed check. */
  exitCode?: (result: z.output<Result>) => number;
  routes?: readonly Route<z.input<Arguments>, z.output<Result>>[];
  undo?: Undo<Context, Payload>;
  /**
   * Throws what `run` would throw if the caller has no right to the target. Every command with a local file has one: it
   * runs READ ONLY before a file is asked for, again when its names and sizes are known, and again before anything that
   * was sent is opened. `announced` has what each path, as typed, will bring. Contents that are there already need not
   * be sent.
   */
  beforeUpload?(
    context: Context,
    args: z.output<Arguments>,
    announced: ReadonlyMap<string, Announced>,
  ): Promise<Checked | undefined>;
  /**
   * Throws if the caller may no longer read one of these files of an earlier result. Every command that presents files
   * has one: it runs READ ONLY whenever they are downloaded.
   */
  beforeDownload?(context: Context, files: readonly FileVersion[]): Promise<void>;
  /**
   * The next page of a folder of an earlier result, after the `next` of the page before; what the caller can see of it
   * now. A command that presents folders has one: it runs READ ONLY.
   */
  listDownload?(context: Context, folderId: string, after: string): Promise<FolderPage>;
  /** It shows one thing of this kind, by its id as the first positional: agents read it as `svc://<id>`. */
  shows?: IdKind;
  /** It lists all things of this kind that the caller can see, without further arguments. */
  lists?: ValueKind;
  /** Its argument `lines` holds lines of other commands, which it runs: their scopes count as well. */
  holdsLines?: true;
  /** It may wait for hours; other commands share the usual time limit. */
  isPatient?: boolean;
  /** A read may throw `WaitFirst`, and is run again with the same `args`. */
  run(context: Context, args: z.output<Arguments>): Promise<z.input<Result>>;
}

/** A command without its own types: what the catalog holds and dispatch runs. */
export interface CommandDefinition<Context = unknown>
  extends CommandOptions<Context, z.ZodObject, z.ZodType, z.ZodType> {
  positionals: readonly string[];
}

/** Binds `defineCommand` to the context of one backend, so that command files need no type arguments. */
export function commandDefiner<Context>() {
  return function defineCommand<
    Arguments extends z.ZodObject,
    Result extends z.ZodType,
    Payload extends z.ZodType = z.ZodNever,
  >(options: CommandOptions<Context, Arguments, Result, Payload>): CommandDefinition<Context> {
    return { positionals: [], ...options } as CommandDefinition<Context>;
  };
}
