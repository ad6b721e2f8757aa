import type { ErrorCode } from "@svc/protocol/error-table";
import type { Column } from "@svc/protocol/exchange";
import type { z } from "zod";

/** `read` runs in a READ ONLY transaction; `write` can be brought back or made again; `destroy` cannot. */
export type Effect = "read" | "write" | "destroy";

/** What lets people in. A command that changes either says so, because AI members must leave it to people. */
export type Affected = "credentials" | "access";

/** A property of the credential, never of a flag or a header. */
export type ActorKind = "human" | "service" | "ai";

/** How a person reads the result. A table shows its `items` and where `nextCursor` leads; text is plain lines. */
export type Presentation<Result> =
  | {
      as: "table";
      columns: readonly ColumnOptions[];
      empty: string;
      /** For people, where rows are not how they read it; programs and `--format table` get the columns. */
      text?: (result: Result) => string;
    }
  | { as: "text"; text: (result: Result) => string }
  | { as: "file" };

export type ColumnOptions = Pick<Column, "field" | "label"> & Partial<Column>;

/** Of the operation that is undone. */
export interface UndoneOperation {
  actorId: string;
  /** When its changes stood, in seconds since 1970, as exact as the database knows it. */
  at: string;
}

/** What `operations undo` needs to bring an operation back; `run` of the command records the payload. */
export interface Undo<Context, Payload extends z.ZodType = z.ZodType> {
  payload: Payload;
  /**
   * Checks the same rights as the command, and refuses if it would take away or revert what another person added or
   * changed since. Answers the payload with which `run` redoes what it has just undone.
   */
  run(context: Context, payload: z.output<Payload>, operation: UndoneOperation): Promise<z.input<Payload>>;
}

/** An address of its own, for callers who know it from a contract: the body says the arguments in its own words. */
export interface Route<Arguments, Result> {
  path: string;
  /** What its body becomes is the arguments; what it is read from is what its description shows. */
  body: z.ZodType<Arguments>;
  answer: (result: Result) => unknown;
  answerSchema: z.ZodType;
  /** 202 where it has only begun when the answer leaves. */
  status?: 200 | 202;
}

/** One content of one file, as a result named it. */
export interface FileVersion {
  id: string;
  version: number;
  sha256: string;
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
  effect: Effect;
  affects?: Affected;
  /** All of them are needed. */
  scopes: readonly string[];
  arguments: Arguments;
  positionals?: readonly (keyof z.input<Arguments> & string)[];
  result: Result;
  presentation: Presentation<z.output<Result>>;
  examples: readonly { command: string; note: string }[];
  /** Codes that this command answers with, beyond those that any command may. */
  failures: readonly ErrorCode[];
  /** Exit code of a complete result: 60 where it reports a failed check. */
  exitCode?: (result: z.output<Result>) => number;
  routes?: readonly Route<z.input<Arguments>, z.output<Result>>[];
  undo?: Undo<Context, Payload>;
  /**
   * Throws what `run` would throw if the caller has no right to the target. Every command with a local file has one: it
   * runs READ ONLY before a file is asked for, and again before anything that was sent is opened.
   */
  beforeUpload?(context: Context, args: z.output<Arguments>): Promise<void>;
  /**
   * Throws if the caller may not read a file of an earlier result any more. Every command that presents files has one: it
   * runs READ ONLY whenever the file is downloaded.
   */
  beforeDownload?(context: Context, file: FileVersion): Promise<void>;
  /** It may wait for hours; others have the time of any command for it. */
  isPatient?: boolean;
  /** A read may throw `WaitFirst`, and is run again with the same `args`. */
  run(context: Context, args: z.output<Arguments>): Promise<z.input<Result>>;
}

/** A command with its own types forgotten: what the catalog holds and dispatch runs. */
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
