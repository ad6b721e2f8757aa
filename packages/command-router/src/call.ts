import type { Part } from "./arguments/batch-lines.ts";
import type { TypedWords } from "./arguments/read-argument-line.ts";
import type { Command } from "./catalog.ts";
import type { Runner } from "./require-may-run.ts";

/** One call of one command, from whichever surface. */
export interface Call<Context> extends Runner {
  command: Command<Context>;
  arguments: unknown;
  /** Of a typed line: which word gave which argument, so that a refusal can point at it. */
  words?: TypedWords | undefined;
  /** If the command runs lines of others: read when the gate has let it in, and once. */
  parts?: (() => readonly Part<Context>[]) | undefined;
  dryRun: boolean;
  confirm?: string | undefined;
  workspace?: string | undefined;
  /** The workspace, if this very line or body names it: an ambient or chosen one is only where paths begin. */
  namedWorkspace?: string | undefined;
  idempotencyKey?: string | undefined;
  /** Its files are gone, so it cannot run: it can only get the answer stored under its idempotency key. */
  onlyRepeat?: boolean | undefined;
}
